package main

import (
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPublicAddress checks an adapter that reaches the check at another address than the one that it listens on, as
// one in a container does.
func TestPublicAddress(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	var listens atomic.Value
	gateway := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		passed.Add(1)
		r.SetURL(&url.URL{Scheme: "http", Host: listens.Load().(string)})
	}})
	defer gateway.Close()
	o := optionsFor(startSample(t))
	o.public = gateway.URL + "/"
	c, err := newChecker(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.notices.close()
	listens.Store(c.notices.listens.String())
	if err := checkNamed(t, "pending, then approved, with a notice").run(c); err != nil || passed.Load() == 0 {
		t.Errorf("%d notices came by the public address: %v", passed.Load(), err)
	}
}

// TestNoticeURL tells adapters an address at which they may reach the check.
func TestNoticeURL(t *testing.T) {
	t.Parallel()
	loopback, all := net.IPv4(127, 0, 0, 1), net.IPv4zero
	for _, row := range []struct {
		listens      net.IP
		public, want string // "": refused
	}{
		{loopback, "", "http://127.0.0.1:9000/notice"},
		{net.IPv6loopback, "", "http://[::1]:9000/notice"},
		{loopback, "http://host.docker.internal:9000", "http://host.docker.internal:9000/notice"},
		{all, "https://check.example/a/", "https://check.example/a/notice"},
		{all, "", ""},
		{net.IPv6unspecified, "", ""},
		{loopback, "192.0.2.10:9000", ""},
		{loopback, "ftp://192.0.2.10", ""},
		{loopback, "http://192.0.2.10/?a=b", ""},
	} {
		got, err := noticeURL(row.public, &net.TCPAddr{IP: row.listens, Port: 9000})
		if got != row.want || (err == nil) != (row.want != "") {
			t.Errorf("%+v: the adapter is told %q, %v", row, got, err)
		}
	}
	o := optionsFor("http://127.0.0.1:1")
	o.listen = "nowhere"
	if _, err := newChecker(o); err == nil || !strings.Contains(err.Error(), "-listen") {
		t.Errorf("listening nowhere: %v", err)
	}
}
