package request

import (
	"strings"
	"testing"
)

// Schemes that systems act on are refused, in any case; those that only begin like one are an app's.
func TestAppSchemes(t *testing.T) {
	for scheme := range strings.FieldsSeq(`apt bingmaps calculator dict itpc pcast netdoc mmsto tel-promo market aim ymsgr
		urn javascript data blob filesystem about view-source jar intent android-app chrome chrome-extension facetime
		facetime-audio itms itmss itms-apps itms-services x-apple-reminder x-apple.systempreferences ms-settings ms-word
		search-ms microsoft-edge shell vnc ssh telnet ldap ldaps smb ftp sftp gopher mailto sms tel rdp git git+ssh
		vscode vscode-insiders webcal web+pay ext+shop skype skypewin jnlp vnd.ms.radio
		disk file http https slack tg zoommtg zoomus whatsapp viber discord callto steam cursor jetbrains bitcoin upi
		otpauth com.epicgames.launcher`) {
		for _, text := range []string{scheme, strings.ToUpper(scheme)} {
			if url := text + "://open/x"; scheme != "http" && scheme != "https" && isReturnURL(url) {
				t.Errorf("%s is accepted", url)
			}
		}
		if IsAppScheme(scheme) {
			t.Errorf("%s is taken for an app's scheme", scheme)
		}
	}
	for _, url := range []string{"myapp://", "com.example.app://done", "marketplace://x", "aimeos://x", "apteka://x",
		"calculatorshop://x", "msteller://x", "bingo://win", "dictionary://x", "urnshop://x", "MyApp://done",
		"tgshop://x", "lineshop://x", "elements://x", "fbshop://x"} {
		if !isReturnURL(url) {
			t.Errorf("%s is refused", url)
		}
	}
}

// Every scheme of the table has the form of a scheme, and none is there twice or beside a prefix of it.
func TestSystemSchemesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range systemSchemes {
		for scheme := range strings.FieldsSeq(row.names) {
			name, prefix := strings.CutSuffix(scheme, "*")
			if name != strings.ToLower(name) || !prefix && !isScheme(name) {
				t.Errorf("%q is no scheme", scheme)
			}
			if seen[scheme] {
				t.Errorf("%q is listed twice", scheme)
			}
			seen[scheme] = true
		}
	}
	for scheme := range seen {
		for i := 1; i < len(scheme); i++ {
			if prefix := scheme[:i] + "*"; prefix != scheme && seen[prefix] {
				t.Errorf("%q is beside %q", scheme, prefix)
			}
		}
	}
}
