package template

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Language is a language of the page, and what the tags begin with that browsers have for it, in lower case.
type Language struct {
	Code string
	Tag  *regexp.Regexp
}

// Languages are the page's. The first whose tag fits counts. A test writes them into template.yaml and the page.
var Languages = []Language{
	{"zho", regexp.MustCompile(`^zh-(hant|tw|hk|mo)\b`)},
	{"ua", regexp.MustCompile(`^uk\b`)},
	{"no", regexp.MustCompile(`^(nb|nn|no)\b`)},
	{"fr", regexp.MustCompile(`^fr\b`)},
	{"en", regexp.MustCompile(`^en\b`)},
	{"es", regexp.MustCompile(`^es\b`)},
	{"de", regexp.MustCompile(`^de\b`)},
	{"kk", regexp.MustCompile(`^kk\b`)},
	{"ru", regexp.MustCompile(`^ru\b`)},
	{"ar", regexp.MustCompile(`^ar\b`)},
	{"zh", regexp.MustCompile(`^zh\b`)},
	{"az", regexp.MustCompile(`^az\b`)},
}

// LanguagePath is what the CloudFront function LanguagePage makes of a request's path: that of the page in the language
// that the address names, or else the browser.
func LanguagePath(r *http.Request) string {
	if r.URL.Path != "/" && r.URL.Path != "/index.html" {
		return r.URL.Path
	}
	language, most := r.URL.Query().Get("language"), 0
	if !slices.ContainsFunc(Languages, func(l Language) bool { return l.Code == language }) {
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
	for _, l := range Languages {
		if l.Tag.MatchString(tag) {
			return l.Code
		}
	}
	return ""
}
