package simulator

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// Recorded is a request that was received.
type Recorded struct {
	Family string      `json:"family"`
	Method string      `json:"method"`
	Path   string      `json:"path"` // below the family's name, with the query
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	At     time.Time   `json:"at"`
	Status int         `json:"status"` // of the response before its fault
}

// record writes a request down and returns its number.
func (s *Simulator) record(f family, r *http.Request) int {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Recorded{
		Family: f.name, Method: r.Method, Path: r.URL.RequestURI()[len(f.name)+1:], Header: r.Header.Clone(),
		Body: string(body), At: s.Now(),
	})
	return len(s.requests) - 1
}

func (s *Simulator) recordStatus(number, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[number].Status = status
}

// Requests returns all requests that were received.
func (s *Simulator) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Recorded(nil), s.requests...)
}

// addControl adds the control calls.
func (s *Simulator) addControl() {
	s.mux.HandleFunc("POST /control/next", func(w http.ResponseWriter, r *http.Request) {
		var n Next
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&n); err != nil {
			http.Error(w, "the body is no JSON object of a behaviour", http.StatusBadRequest)
			return
		}
		s.Expect(n)
		w.WriteHeader(http.StatusNoContent)
	})
	s.mux.HandleFunc("GET /control/requests", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, s.Requests())
	})
	s.mux.HandleFunc("GET /control/operations", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, s.Operations())
	})
}

// writeJSON sends a response.
func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
