package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// notices is a server that takes the adapter's notices.
type notices struct {
	url, secret string
	listens     net.Addr
	server      *http.Server

	mu    sync.Mutex
	taken map[string]result // by reference
	wrong error             // of the last notice that was not good
	came  chan struct{}
}

func newNotices(o options) (*notices, error) {
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return nil, fmt.Errorf("-listen: %w", err)
	}
	public, err := noticeURL(o.public, listener.Addr().(*net.TCPAddr))
	if err != nil {
		_ = listener.Close()
		return nil, err
	}
	n := &notices{
		url: public, secret: o.secret, listens: listener.Addr(), taken: map[string]result{},
		came: make(chan struct{}, 100),
	}
	n.server = &http.Server{Handler: n, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = n.server.Serve(listener) }()
	return n, nil
}

// noticeURL is the address of notices that the adapter is told.
func noticeURL(public string, listens *net.TCPAddr) (string, error) {
	if public == "" {
		if listens.IP.IsUnspecified() {
			return "", errors.New("-listen is on all addresses: say with -public at which one the adapter reaches it")
		}
		public = "http://" + listens.String()
	}
	at, err := url.Parse(public)
	isWeb := err == nil && (at.Scheme == "http" || at.Scheme == "https")
	if !isWeb || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		return "", errors.New("-public is no address such as http://192.0.2.10:9000")
	}
	return strings.TrimSuffix(public, "/") + "/notice", nil
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
