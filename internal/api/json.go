package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// compressFrom is the size in bytes from which a response is compressed, if its client takes that. CloudFront does not
// compress what it may not store, and a form with many methods is five times as large as what is left of it.
const compressFrom = 1400

// writeJSON writes a response in JSON. It ignores that a client may have gone before it is sent.
func writeJSON(w http.ResponseWriter, status int, value any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	w.Header().Set("Content-Type", "application/json")
	writeBody(w, status, text.Bytes())
}

// writeBody writes a response whose other headers are set, compressed if that is worth it.
func writeBody(w http.ResponseWriter, status int, body []byte) {
	if out, ok := w.(*recorder); ok && out.gzip && len(body) >= compressFrom {
		w.Header().Set("Content-Encoding", "gzip")
		body = compressed(body)
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func compressed(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(body) // to memory, which never fails
	w.Close()
	return out.Bytes()
}

// takesGzip reports whether a client has said that it can decompress a response.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, weighed := strings.Cut(strings.TrimSpace(coding), ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		_, number, _ := strings.Cut(weight, "=")
		q, err := strconv.ParseUint(strings.ReplaceAll(strings.TrimSpace(number), ".", ""), 10, 32)
		return !weighed || err == nil && q > 0
	}
	return false
}
