package method

import (
	"strings"
	"unicode"
)

// CheckEmail reports whether a text is an e-mail address: a local part of 1 to 64 bytes, an @, and a domain of two or
// more labels; at most 254 bytes (RFC 5321). Letters may be of any script. Quoted local parts and address literals are
// rejected, since providers reject them.
func CheckEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	if !found || local == "" || len(local) > 64 || len(text) > 254 {
		return false
	}
	for _, c := range local {
		if unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c) ||
			strings.ContainsRune("()<>[],;:\\\"\uFFFD", c) {
			return false
		}
	}
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	return len(labels) > 1
}

func isLabel(label string) bool {
	for _, c := range label {
		if c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.M, c) {
			return false
		}
	}
	return label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-'
}
