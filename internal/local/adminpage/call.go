package adminpage

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
)

// apiPath is every path of the admin API. No part of one needs a dot or an escape.
var apiPath = regexp.MustCompile(`^/admin/v1(/[A-Za-z0-9_-]+)+$`)

// maxBody is how long a request of the page may be, in bytes.
const maxBody = 1 << 20

// What is passed on of the headers of requests and responses.
var (
	requestHeaders  = []string{"Accept", "Content-Type", "Idempotency-Key"}
	responseHeaders = []string{"Content-Type", "Content-Disposition", "Retry-After", "X-Next-Cursor", "X-Request-Id"}
)

// call sends a request of the page to the admin API, and the response to the page.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || !apiPath.MatchString(r.URL.EscapedPath()) {
		refuse(w, http.StatusNotFound, "The admin API has no such path.")
		return
	}
	if status, why := refused(r); why != "" {
		refuse(w, status, why)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		refuse(w, http.StatusRequestEntityTooLarge, "The request is too long.")
		return
	}
	if err != nil {
		return // the browser has gone
	}
	target := s.config.Base.JoinPath(r.URL.Path)
	target.RawQuery = query.Encode()
	sent, err := http.NewRequestWithContext(r.Context(), r.Method, target.String(), bytes.NewReader(body))
	if err != nil {
		refuse(w, http.StatusBadRequest, "The request can't be read.")
		return
	}
	pass(sent.Header, r.Header, requestHeaders)
	sent.Header.Set("X-Admin-Via", "page")
	response, err := s.config.API.RoundTrip(sent)
	if err != nil {
		refuse(w, http.StatusBadGateway, "The admin API can't be reached: "+err.Error())
		return
	}
	defer response.Body.Close()
	pass(w.Header(), response.Header, responseHeaders)
	if id := response.Header.Get("Apigw-Requestid"); id != "" && w.Header().Get("X-Request-Id") == "" {
		w.Header().Set("X-Request-Id", id) // API Gateway itself has refused the request
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body)
}

// refused returns why a request is not one of the page itself, "" if it is.
func refused(r *http.Request) (status int, why string) {
	from, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	own := "http://" + r.Host
	if origin != "" && origin != own {
		return http.StatusForbidden, "The request comes from another site."
	}
	switch r.Method {
	case http.MethodGet:
		if from != "" && from != "same-origin" && from != "none" {
			return http.StatusForbidden, "The request comes from another site."
		}
		return 0, ""
	case http.MethodPost:
	default:
		return http.StatusMethodNotAllowed, "The admin API takes GET and POST alone."
	}
	if from != "same-origin" && (from != "" || origin != own) {
		return http.StatusForbidden, "The request comes from another site."
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return http.StatusUnsupportedMediaType, "The request is not JSON."
	}
	return 0, ""
}

func pass(to, from http.Header, names []string) {
	for _, name := range names {
		if value := from.Get(name); value != "" {
			to.Set(name, value)
		}
	}
}

// refuse sends an error as the admin API does.
func refuse(w http.ResponseWriter, status int, text string) {
	fault := map[string]any{"error_code": 0, "error_message": text}
	body, _ := json.Marshal(map[string]any{ // texts and numbers always can be
		"error_code": 0, "error_message": text, "errors": []any{fault}, "status": "error",
	})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// InProcess sends requests to a handler of this process.
func InProcess(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

// RoundTrip returns the whole response of the handler.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := recorder{header: http.Header{}, status: http.StatusOK}
	p.handler.ServeHTTP(&w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}, nil
}

type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }
