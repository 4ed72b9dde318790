package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// notices is a server on a loopback port that takes the adapter's notices.
type notices struct {
	url, secret string
	server      *http.Server

	mu    sync.Mutex
	taken map[string]result // by reference
	wrong error             // of the last notice that was not good
	came  chan struct{}
}

func newNotices(secret string) (*notices, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &notices{
		url: "http://" + listener.Addr().String() + "/notice", secret: secret, taken: map[string]result{},
		came: make(chan struct{}, 100),
	}
	n.server = &http.Server{Handler: n, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = n.server.Serve(listener) }()
	return n, nil
}

func (n *notices) close() { _ = n.server.Close() }

// ServeHTTP takes a notice. The first one gets status 500, so that it has to come again.
func (n *notices) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var got result
	err := verify(n.secret, r.Header, string(text))
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil {
		n.wrong = err
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if _, seen := n.taken[got.Reference]; !seen {
		n.taken[got.Reference] = result{}
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if n.taken[got.Reference].Status == "approved" && got.Status == "pending" {
		return // late news
	}
	n.taken[got.Reference] = got
	select {
	case n.came <- struct{}{}:
	default:
	}
}

// about returns the last notice about a reference, and what was wrong with another one.
func (n *notices) about(reference string) (result, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.taken[reference], n.wrong
}
