package method

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// CheckWebURL reports whether a text is an absolute http or https URL that a browser can be sent to.
// It has a host, no user or password, which make a browser show one host and go to another, and a port from 1 to 65535
// if it has one.
func CheckWebURL(text string) bool {
	u, err := url.Parse(text)
	return CheckURLCharacters(text) && err == nil && u.User == nil && isWebAddress(u)
}

// CheckReceiverURL reports whether a text is an http or https URL that the service itself sends requests to. Unlike
// that of a page it may have a user and password, which are sent to its host alone.
func CheckReceiverURL(text string) bool {
	u, err := url.Parse(text)
	return CheckURLCharacters(text) && err == nil && isWebAddress(u)
}

func isWebAddress(u *url.URL) bool {
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "443"), 10, 16)
	return (u.Scheme == "https" || u.Scheme == "http") && u.Opaque == "" && strings.Trim(u.Hostname(), ".") != "" &&
		err == nil && port > 0
}

// CheckURLCharacters reports whether a text has none of the characters that browsers remove, replace or interpret
// differently than net/url: white space, control and invisible characters, backslashes, quotes and angle brackets.
func CheckURLCharacters(text string) bool {
	for _, c := range text {
		switch {
		case c <= ' ' || c == '\\' || c == '"' || c == '<' || c == '>' || c == '`' || c == 0x7F:
			return false
		case c > 0x7F && (unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\uFFFD'):
			return false
		}
	}
	return text != ""
}
