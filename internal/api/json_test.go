package api

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A large response is compressed for clients that say they take that, and for no other.
func TestCompressedResponse(t *testing.T) {
	long := strings.Repeat("x", compressFrom)
	for _, test := range []struct {
		accepts, text string
		compressed    bool
	}{
		{"gzip", long, true},
		{"deflate, GZIP ;q=0.5, br", long, true},
		{"br, gzip;q=1", long, true},
		{"gzip", long[:compressFrom-len(`""`+"\n")], true},
		{"gzip", long[:compressFrom-len(`""`+"\n")-1], false},
		{"", long, false},
		{"br", long, false},
		{"gzip;q=0", long, false},
		{"gzip; q=0.000", long, false},
		{"gzip;q=x", long, false},
		{"x-gzip", long, false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", test.accepts)
		a, _ := newAPI(nil)
		text := func(w http.ResponseWriter, _ *http.Request) error {
			writeJSON(w, http.StatusTeapot, test.text)
			return nil
		}
		w := httptest.NewRecorder()
		a.serve(Route{Path: "text", handler: raw(text)}).ServeHTTP(w, r)
		body := io.Reader(w.Body)
		encoding := w.Header().Get("Content-Encoding")
		if compressed := encoding == "gzip"; compressed != test.compressed || !compressed && encoding != "" {
			t.Errorf("%q: %q", test.accepts, encoding)
		}
		if encoding == "gzip" {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		got, err := io.ReadAll(body)
		if err != nil || string(got) != `"`+test.text+"\"\n" || w.Code != http.StatusTeapot {
			t.Errorf("%q: %d %.20q, %v", test.accepts, w.Code, got, err)
		}
	}
}
