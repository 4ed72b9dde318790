package simulator

import (
	"bytes"
	"io"
	"net/http"
)

// record writes a request down.
func (s *Simulator) record(f family, r *http.Request) *Recorded {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	defer s.mu.Unlock()
	recorded := &Recorded{
		Family: f.name, Method: r.Method, Path: r.URL.RequestURI()[len(f.name)+1:], Header: r.Header.Clone(),
		Body: string(body), At: s.Now(),
	}
	s.requests = keep(s.requests, recorded, s.Keep)
	return recorded
}

// keep appends to a list, of which the last ones alone are held.
func keep[T any](all []*T, one *T, most int) []*T {
	all = append(all, one)
	if len(all) > most {
		all[0] = nil
		all = all[1:]
	}
	return all
}

// copies returns the values of a list.
func copies[T any](all []*T) []T {
	values := make([]T, len(all))
	for i, one := range all {
		values[i] = *one
	}
	return values
}

// Requests returns the last requests that were received.
func (s *Simulator) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.requests)
}

// Operations returns the ledger, without what was forgotten.
func (s *Simulator) Operations() []Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.operations)
}

// Notices returns the last tries of notices.
func (s *Simulator) Notices() []SentNotice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return copies(s.notices)
}
