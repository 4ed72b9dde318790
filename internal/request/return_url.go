package request

import (
	"net/url"
	"slices"
	"strings"

	"checkout/internal/method"
)

// isReturnURL accepts a URL that a payer can be redirected to at the end (decisions.md 7): an http or https URL, or one
// with an app's own scheme, of the form that apps register (RFC 3986, 3.1, two characters or more, with "://"). It
// refuses schemes that a browser or an operating system handles itself.
func isReturnURL(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	scheme = strings.ToLower(scheme)
	if scheme == "http" || scheme == "https" {
		return found && method.CheckWebURL(text)
	}
	if !found || !isScheme(scheme) || isSystemScheme(scheme) {
		return false
	}
	_, err := url.Parse(text)
	return err == nil && method.CheckURLCharacters(text)
}

// isScheme reports whether a text has the form of a scheme. A single letter is none, since it is a drive on Windows.
func isScheme(scheme string) bool {
	return len(scheme) > 1 && strings.ContainsAny(scheme[:1], Letters) && OnlyOf(scheme, Letters+Digits+"+-.")
}

// systemSchemes are schemes that belong to browsers and operating systems. A name with "*" stands for all schemes that
// begin with it.
var systemSchemes = []struct {
	source string
	names  []string
}{
	{"WHATWG: run code or hold content in the address itself", []string{
		"javascript", "data", "blob", "filesystem", "about", "vbscript", "livescript", "mocha", "feed", "view-source", "jar",
		"wyciwyg"}},
	{"WHATWG URL, special schemes besides http and https", []string{"ftp", "file", "ws", "wss"}},
	{"Chromium (url_constants.h), Android's intents, and browsers built on Chromium", []string{
		"chrome*", "devtools", "isolated-app", "externalfile", "content", "cid", "read", "intent", "android-app",
		"edge", "msedge*", "microsoft-edge*", "brave", "opera", "vivaldi", "googlechrome", "googlechromes"}},
	{"Firefox and Safari: internal pages, extensions, ways to open them", []string{
		"moz-*", "resource", "page-icon", "cached-favicon", "firefox", "safari-*", "x-safari-*", "webkit*", "x-webkit*",
		"applewebdata"}},
	{"Microsoft: protocol handlers of Windows and Office, several of which ran commands", []string{
		"ms-*", "search-ms", "search", "shell", "windowsdefender", "onenote", "onenote-cmd", "outlook", "outlookfeed",
		"callto", "hcp", "help",
		"its", "mk", "mhtml", "res", "local", "ldap", "ldaps", "mapi", "xbox*", "grvopen", "stickynotes", "skype", "msteams",
		"wsl", "cmd", "powershell"}},
	{"Apple: handlers of macOS and iOS", []string{
		"x-apple*", "itms*", "itunes", "applescript", "x-help-action", "x-man-page", "prefs", "app-prefs", "facetime",
		"facetime-audio", "shortcuts",
		"workflow", "macappstore", "macappstores", "message", "addressbook", "webcal", "afp", "daap", "vnc"}},
	{"Oracle: Java Web Start, which runs what it downloads", []string{"jnlp", "jnlps"}},
	{"IANA: mail, telephone, news, terminals and shares, which open a program of the system", []string{
		"mailto", "tel", "sms", "news", "nntp", "snews", "gopher", "telnet", "rlogin", "tn3270", "ssh", "sftp", "scp", "smb",
		"cifs", "nfs",
		"dav", "davs", "rdp", "irc", "ircs", "imap", "pop", "svn", "git", "rsync", "rtsp", "mms", "magnet", "steam"}},
}

func isSystemScheme(scheme string) bool {
	for _, row := range systemSchemes {
		if slices.ContainsFunc(row.names, func(name string) bool {
			prefix, all := strings.CutSuffix(name, "*")
			return scheme == prefix || all && strings.HasPrefix(scheme, prefix)
		}) {
			return true
		}
	}
	return false
}
