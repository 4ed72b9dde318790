package provider

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/connector"
)

// serve starts a server whose errors are not logged.
func serve(t *testing.T, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handle)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func TestSend(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Method", r.Method+" "+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusPaymentRequired)
		_, _ = w.Write(append([]byte("got "), body...))
	})
	header := map[string]string{"Authorization": "Bearer 1"}
	got, err := NewClient().Send(t.Context(), Request{"POST", server.URL + "/charges", header, []byte("a pen")})
	if err != nil || got.Status != http.StatusPaymentRequired || string(got.Body) != "got a pen" ||
		got.Header.Get("X-Method") != "POST Bearer 1" {
		t.Errorf("%+v, %v", got, err)
	}
}

// ErrNotSent is returned only where no connection was made.
func TestNothingWasSent(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	untrusted := httptest.NewUnstartedServer(nil)
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	for name, url := range map[string]string{
		"refused": closed.URL, "no such name": "https://no-such-name.invalid", "untrusted": untrusted.URL,
		"no address": "http://[::1", "no scheme": "//x",
	} {
		got, err := NewClient().Send(t.Context(), Request{Method: "POST", URL: url, Body: []byte("a pen")})
		if !errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewClient().Send(over, Request{Method: "POST", URL: closed.URL}); !errors.Is(err, connector.ErrNotSent) {
		t.Errorf("the time was over before: %v", err)
	}
}

// After a connection was made the outcome is unknown, and nothing is sent again, on another connection or to another
// address.
func TestNobodyKnows(t *testing.T) {
	var requests atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		switch requests.Add(1); r.URL.Path {
		case "/closes":
			panic(http.ErrAbortHandler)
		case "/stalls":
			<-r.Context().Done()
		case "/floods":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "/redirects":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}
	})
	for _, path := range []string{"/closes", "/stalls", "/floods"} {
		client := NewClient()
		if _, err := client.Send(t.Context(), Request{Method: "POST", URL: server.URL + "/", Body: []byte("1")}); err != nil {
			t.Fatal(err) // the connection is reused below
		}
		requests.Store(0)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		header := map[string]string{"Idempotency-Key": "1"} // with this header net/http repeats requests
		got, err := client.Send(ctx, Request{"POST", server.URL + path, header, []byte("a pen")})
		cancel()
		if err == nil || errors.Is(err, connector.ErrNotSent) || requests.Load() != 1 {
			t.Errorf("%s: %+v, %v, sent %d times", path, got, err, requests.Load())
		}
	}
	requests.Store(0)
	redirected := Request{Method: "POST", URL: server.URL + "/redirects", Body: []byte("a pen")}
	got, err := NewClient().Send(t.Context(), redirected)
	if err != nil || got.Status != http.StatusTemporaryRedirect || requests.Load() != 1 {
		t.Errorf("redirected: %+v, %v, sent %d times", got, err, requests.Load())
	}
}

// An error contains nothing of what was sent and received.
func TestErrorsCanBeLogged(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/json" {
			_, _ = w.Write([]byte(`{"card":4111111111111111}`))
			return
		}
		panic(http.ErrAbortHandler)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	for _, base := range []string{server.URL, "http://" + listener.Addr().String()} {
		_, err := NewClient().Send(t.Context(), Request{
			"POST", base + "/cards/4111111111111111/charges?key=secret-1",
			map[string]string{"Authorization": "secret-2"}, []byte("secret-3"),
		})
		text := err.Error()
		if strings.Contains(text, "41111111") || strings.Contains(text, "secret") ||
			!strings.Contains(text, "/cards/****************/charges") {
			t.Errorf("%s", text)
		}
	}
	got, err := NewClient().Send(t.Context(), Request{Method: "GET", URL: server.URL + "/json"})
	if err != nil {
		t.Fatal(err)
	}
	var into struct{ Card int8 }
	if err := got.JSON(&into); err == nil || strings.Contains(err.Error(), "411111") {
		t.Errorf("read %+v, %v", into, err)
	}
}

func TestMasked(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "/v1/charges/12345678": "/v1/charges/12345678",
		"/123456789": "/*********", "/1/123456789/2": "/1/*********/2",
		"123456789x123456789": "*********x*********",
	} {
		if got := masked(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
