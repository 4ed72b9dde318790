package method

import (
	"net/url"
	"strings"
	"unicode"
)

// CheckWebURL reports whether a text is an absolute http or https URL that a browser can be sent to.
func CheckWebURL(text string) bool {
	if !CheckURLCharacters(text) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	return (u.Scheme == "https" || u.Scheme == "http") && u.Opaque == "" && strings.Trim(u.Hostname(), ".") != ""
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
