package guard

import (
	"net/http"
	"slices"
	"strings"
)

// pageHeaders are the headers that protect the page, as template.yaml sets them.
func pageHeaders(s Site) http.Header {
	return headers(s, "no-referrer", `csp="/page/reports"`)
}

// frameHeaders are those of the frame of Google Pay.
func frameHeaders(s Site) http.Header { return headers(s, "strict-origin", "") }

func headers(s Site, referrer, reports string) http.Header {
	h := http.Header{}
	for name, value := range map[string]string{
		"Content-Security-Policy": s.Policy,
		"Referrer-Policy":         referrer,
		"Reporting-Endpoints":     reports,
		"X-Content-Type-Options":  "nosniff",
		"Permissions-Policy":      "camera=(), geolocation=(), microphone=(), usb=()",

		// What could load or lead to something else.
		"Link": "", "Refresh": "", "Set-Cookie": "",
	} {
		h.Set(name, value)
	}
	if strings.HasPrefix(s.URL, "https://") { // over http it means nothing
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return h
}

// compareHeaders compares headers with wanted ones, of which those that are empty must not be there.
func compareHeaders(wanted, found http.Header) []difference {
	var all []difference
	for _, name := range sorted(wanted) {
		value := strings.Join(found.Values(name), ", ")
		if value != wanted.Get(name) {
			all = append(all, difference{what: whatHeader, path: name, wanted: wanted.Get(name), found: value})
		}
	}
	return all
}

func sorted(h http.Header) []string {
	var names []string
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
