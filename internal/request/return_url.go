package request

import (
	"net/url"
	"slices"
	"strings"

	"checkout/internal/method"
)

// maxReturnURL is the most characters of each of the four URLs that a payer may be redirected to.
const maxReturnURL = 1024

// returnURL is the field of a URL that a payer can be redirected to at the end (protocol.md, Return to the merchant): a
// web page, or a URL with an app's own scheme, of the form that apps register (RFC 3986, 3.1, two characters or more,
// with "://"). It refuses schemes that a browser or an operating system handles itself, and those that the mapping does
// not allow.
func returnURL(name string, required bool, to func(*Session) *string) field[Session] {
	return field[Session]{name: name, read: func(_ *Draft, in Reader, r *Session) {
		if required && !in.Has(name) {
			in.Fail(name, method.TextBlank)
		}
		text := in.Text(name, returnURLChecks...)
		if scheme := schemeOf(text); text != "" && !isWeb(scheme) {
			in.depends(ofScheme(scheme)).Fail(name, method.TextNotURL)
		}
		*to(r) = text
	}}
}

var returnURLChecks = []Check{UpTo(maxReturnURL), OrElse(method.TextNotURL, isReturnURL)}

func isReturnURL(text string) bool {
	scheme := schemeOf(text)
	if isWeb(scheme) {
		return method.CheckWebURL(text)
	}
	_, err := url.Parse(text)
	return IsAppScheme(scheme) && err == nil && method.CheckURLCharacters(text)
}

// schemeOf returns what stands before "://" in lower case, "" if that is not there.
func schemeOf(text string) string {
	scheme, _, found := strings.Cut(text, "://")
	if !found {
		return ""
	}
	return strings.ToLower(scheme)
}

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// IsAppScheme reports whether a text in lower case is a scheme that an app may have registered for itself.
func IsAppScheme(scheme string) bool {
	return isScheme(scheme) && !isWeb(scheme) && !isSystemScheme(scheme)
}

// isScheme reports whether a text has the form of a scheme. A single letter is none, since it is a drive on Windows.
func isScheme(scheme string) bool {
	return len(scheme) > 1 && strings.ContainsAny(scheme[:1], Letters) && OnlyOf(scheme, Letters+Digits+"+-.")
}

// systemSchemes are schemes that belong to browsers, operating systems, and programs that come with them or act on an
// address without asking. A name with "*" stands for all schemes that begin with it.
var systemSchemes = []struct {
	source string
	names  string
}{
	{"WHATWG: run code or hold content in the address itself", `javascript data blob filesystem about vbscript livescript
		mocha feed feeds view-source jar wyciwyg`},
	{"WHATWG URL, special schemes besides http and https, and handlers that pages and extensions register",
		`ftp file ws wss web+* ext+*`},
	{"Chromium (url_constants.h), Android, and browsers built on Chromium", `chrome* devtools isolated-app externalfile
		content cid read intent android-app android-secret-code package market market-* geo google.* voicemail wtai
		smsto mmsto edge msedge* brave opera opera-* vivaldi google-chrome* googlechrome googlechromes disk disks ie.http
		vnd.ms.radio`},
	{"Firefox and Safari: internal pages, extensions, ways to open them", `moz-* resource page-icon cached-favicon firefox
		firefox-* safari safari-* x-safari-* webkit* x-webkit* x-web-search applewebdata`},
	{"Microsoft: protocol handlers of Windows and Office, several of which ran commands", `ms-* microsoft.* microsoft-*
		search search-ms shell windowsdefender windows-feedback windows.* onenote onenote-cmd outlook outlookfeed
		outlookcal outlookmail callto hcp help its mk mhtml res local ldap ldaps ldapi mapi xbox* msxbox* grvopen
		stickynotes skype* msteams wsl cmd powershell bingmaps bingnews bingweather bingsports bingfinance calculator
		mswindowsmusic mswindowsvideo msnweather zune insiderhub feedback-hub netflix-ms tpmvscmgr conf lync* sip sips
		sip-* vscode* winget`},
	{"Apple: handlers of macOS and iOS", `x-apple* apple-* itms* itunes* itpc pcast podcast podcasts applescript
		x-help-action x-help-script x-man-page x-radar radar helpviewer prefs app-prefs app-settings facetime* imessage
		ichat iphoto ibooks music musics maps map mapitem calshow contact contacts photos-redirect mobilenotes notes
		shoebox diagnostics findmy fmip1 gamecenter shortcuts workflow macappstore* message addressbook tel-promo
		webcal webcals afp daap vnc`},
	{"Linux desktops: installers, help, shares and devices", `apt apt+* apturl appstream snap flatpak* ghelp info man yelp
		admin afc burn cdda computer fish gphoto2 kdeconnect mtp network recent remote trash settings systemsettings`},
	{"Java: what its class library opens, and Java Web Start, which runs what it downloads", `jnlp jnlps netdoc jrt jndi
		rmi iiop corbaname corbaloc`},
	{"IANA: names, mail, telephone, news, messages, terminals and shares, which open a program of the system", `urn
		tag doi hdl dict mailto mid imap imaps pop pop3 smtp tel sms fax modem h323 iax xmpp aim ymsgr msnim gtalk icq news
		nntp snews gopher gophers finger wais telnet telnets rlogin tn3270 tn5270 ssh sftp ftps tftp scp smb cifs nfs dav
		davs rdp rdp+* ms+* spice x2go teamviewer* anydesk irc irc6 ircs svn svn+* git git+* hg cvs rsync rtsp* rtmp* rtp mms
		mmsh mmst mmsu magnet ed2k thunder bittorrent`},
	{"Messengers and meetings: they join, call or send when they are opened", `slack* tg telegram zoommtg zoomus zoomrc
		zoomphonecall zoomauthenticator whatsapp* viber discord* sgnl signalcaptcha line lineauth wechat weixin wxwork
		mqqapi* tencent* kakaotalk kakaolink fb fb-messenger* messenger threema wickr jitsi-meet org.jitsi.meet webex* wbx
		gotomeeting* gotowebinar bluejeans ringcentral rcapp dingtalk lark feishu rocketchat mattermost element zulip`},
	{"Developers' and remote tools: they open, clone or run what they are given", `vmrc vmware-view* citrix* receiver
		rustdesk parsec putty winscp-* ssh-* cursor* windsurf* zed vscodium jetbrains* idea pycharm webstorm goland phpstorm
		clion rider rubymine fleet sourcetree x-github-client github-mac github-windows gitkraken docker-desktop postman
		insomnia iterm2 iterm warp figma notion obsidian evernote`},
	{"Launchers of games and shops, which install and start programs", `steam* com.epicgames.launcher uplay origin origin2
		battlenet roblox* minecraft* ea link2ea itch appmarket samsungapps amzn`},
	{"Wallets and keys: they pay, sign or store what they are given", `bitcoin* lightning lnurl* ethereum litecoin monero
		upi wc metamask otpauth* fido onepassword* bitwarden`},
}

func isSystemScheme(scheme string) bool {
	for _, row := range systemSchemes {
		if slices.ContainsFunc(strings.Fields(row.names), func(name string) bool {
			prefix, all := strings.CutSuffix(name, "*")
			return scheme == prefix || all && strings.HasPrefix(scheme, prefix)
		}) {
			return true
		}
	}
	return false
}
