package template

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// byTag are the languages whose code is the first part of a browser's tag.
var byTag = []string{"fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az"}

// otherTags are those of the other languages.
var otherTags = []struct {
	tag  *regexp.Regexp
	code string
}{
	{regexp.MustCompile(`^zh-(hant|tw|hk|mo)\b`), "zho"},
	{regexp.MustCompile(`^uk\b`), "ua"},
	{regexp.MustCompile(`^(nb|nn|no)\b`), "no"},
}

// LanguagePath is what the CloudFront function LanguagePage makes of a request's path: that of the page in the language
// that the address names, or else the browser.
func LanguagePath(r *http.Request) string {
	if r.URL.Path != "/" && r.URL.Path != "/index.html" {
		return r.URL.Path
	}
	language, most := r.URL.Query().Get("language"), 0
	if !slices.Contains(append([]string{"ua", "no", "zho"}, byTag...), language) {
		language = ""
		for entry := range strings.SplitSeq(strings.ToLower(r.Header.Get("Accept-Language")), ",") {
			tag, weight, _ := strings.Cut(entry, ";")
			q := 1000
			if weight != "" {
				q = thousandths(strings.TrimPrefix(strings.TrimSpace(weight), "q="))
			}
			if code := codeOf(strings.TrimSpace(tag)); code != "" && q > most {
				language, most = code, q
			}
		}
	}
	if language == "" {
		return r.URL.Path
	}
	return "/" + language + ".html"
}

// thousandths reads a weight, such as 0.9, 0 for what is none.
func thousandths(weight string) int {
	n, _ := strconv.Atoi((strings.Replace(weight, ".", "", 1) + "0000")[:4])
	return n
}

// codeOf is the code of a browser's tag in lower case, "" if the page does not have that language.
func codeOf(tag string) string {
	for _, other := range otherTags {
		if other.tag.MatchString(tag) {
			return other.code
		}
	}
	first, _, _ := strings.Cut(tag, "-")
	if !slices.Contains(byTag, first) {
		return ""
	}
	return first
}
