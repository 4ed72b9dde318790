package post

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/local/simulator/raw"
)

// local returns an HTTPSender that may connect to loopback servers.
func local(t *testing.T) *HTTPSender {
	t.Helper()
	return closed(t, New(Options{AllowLoopback: true}))
}

func closed(t *testing.T, sender *HTTPSender) *HTTPSender {
	t.Cleanup(sender.transport.CloseIdleConnections)
	return sender
}

// serve starts a merchant on loopback.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

func TestSendPosts(t *testing.T) {
	type seen struct{ method, path, user, kind, agent, id, body string }
	got := make(chan seen, 1)
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, _, _ := r.BasicAuth()
		got <- seen{r.Method, r.URL.RequestURI(), user, r.Header.Get("Content-Type"), r.UserAgent(),
			r.Header.Get("webhook-id"), string(body)}
		if _, found := r.Header["Idempotency-Key"]; found {
			t.Error("an Idempotency-Key was sent")
		}
	})
	status, err := local(t).Send(t.Context(), callback.Outgoing{
		URL:         strings.Replace(address, "http://", "http://shop:secret@", 1) + "/hook?a=b",
		ContentType: "application/json",
		Header:      map[string]string{"webhook-id": "w1", "User-Agent": "other"},
		Body:        []byte(`{"id":"1"}`),
	})
	if err != nil || status != http.StatusOK {
		t.Fatalf("returned %d, %v", status, err)
	}
	want := seen{"POST", "/hook?a=b", "shop", "application/json", "Checkout-Session-Service", "w1", `{"id":"1"}`}
	if s := <-got; s != want {
		t.Errorf("the merchant saw %+v", s)
	}
}

func TestEveryStatusIsAResponse(t *testing.T) {
	for _, want := range []int{200, 204, 299, 301, 302, 307, 308, 400, 404, 429, 500, 503} {
		var received atomic.Int32
		address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			received.Add(1)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(want)
		})
		status, err := local(t).Send(t.Context(), callback.Outgoing{URL: address})
		if err != nil || status != want || received.Load() != 1 {
			t.Errorf("%d: returned %d, %v, received %d times", want, status, err, received.Load())
		}
	}
}

// hang reads a request and never responds. The server notices that the client left only after the body is read.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func TestNoResponseInTime(t *testing.T) {
	out := callback.Outgoing{URL: serve(t, hang), Body: []byte("x")}
	sender := local(t)
	sender.Limit = 50 * time.Millisecond
	if status, err := sender.Send(t.Context(), out); !errors.Is(err, callback.ErrTimeout) || status != 0 {
		t.Errorf("limit: returned %d, %v", status, err)
	}
	sender.Limit = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := sender.Send(ctx, out); !errors.Is(err, callback.ErrTimeout) {
		t.Errorf("deadline: returned %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := sender.Send(ctx, out); !errors.Is(err, context.Canceled) || errors.Is(err, callback.ErrTimeout) {
		t.Errorf("cancelled: returned %v", err)
	}
}

func TestHeaderThatDrips(t *testing.T) {
	address := raw.Server(t, func(conn net.Conn) {
		for text := "HTTP/1.1 200 OK\r\nX: "; ; text = "x" {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	sender := local(t)
	sender.Limit = 100 * time.Millisecond
	if _, err := sender.Send(t.Context(), callback.Outgoing{URL: address}); !errors.Is(err, callback.ErrTimeout) {
		t.Errorf("returned %v", err)
	}
}

func TestHeaderWithoutEnd(t *testing.T) {
	address := raw.Server(t, func(conn net.Conn) {
		for text := "HTTP/1.1 200 OK\r\nX: "; ; text = strings.Repeat("x", 4096) {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	})
	sender := local(t)
	sender.Limit = 10 * time.Minute
	start := time.Now()
	_, err := sender.Send(t.Context(), callback.Outgoing{URL: address})
	if err == nil || errors.Is(err, callback.ErrTimeout) || time.Since(start) > 5*time.Minute {
		t.Errorf("returned %v after %v", err, time.Since(start))
	}
}

func TestBodyWithoutEndIsLeft(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		for block := make([]byte, 8192); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	sender := local(t)
	sender.Limit = 10 * time.Minute
	start := time.Now()
	status, err := sender.Send(t.Context(), callback.Outgoing{URL: address})
	if err != nil || status != http.StatusAccepted || time.Since(start) > 5*time.Minute {
		t.Errorf("returned %d, %v after %v", status, err, time.Since(start))
	}
}

func TestBodyThatDripsIsLeft(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := io.WriteString(w, "."); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	})
	sender := local(t)
	sender.Limit = 10 * time.Minute
	start := time.Now()
	status, err := sender.Send(t.Context(), callback.Outgoing{URL: address})
	if err != nil || status != http.StatusOK || time.Since(start) > sender.Limit/2 {
		t.Errorf("returned %d, %v after %v", status, err, time.Since(start))
	}
}

func TestDeadConnectionIsReplaced(t *testing.T) {
	var received atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received.Add(1) }))
	t.Cleanup(server.Close)
	sender := local(t)
	for range 20 {
		if _, err := sender.Send(t.Context(), callback.Outgoing{URL: server.URL, Body: []byte("x")}); err != nil {
			t.Fatal(err)
		}
		server.CloseClientConnections()
	}
	if received.Load() != 20 {
		t.Errorf("received %d times", received.Load())
	}
}

func TestTLSIsVerified(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = discard()
	server.StartTLS()
	t.Cleanup(server.Close)
	_, err := local(t).Send(t.Context(), callback.Outgoing{URL: server.URL})
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); !ok {
		t.Errorf("self-signed: returned %v", err)
	}
	trusting := local(t)
	trusting.transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	if status, err := trusting.Send(t.Context(), callback.Outgoing{URL: server.URL}); err != nil ||
		status != http.StatusOK {
		t.Errorf("trusted: returned %d, %v", status, err)
	}
	_, err = trusting.Send(t.Context(), callback.Outgoing{URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1)})
	if _, ok := errors.AsType[x509.HostnameError](err); !ok {
		t.Errorf("another name: returned %v", err)
	}
}

func TestNoProxy(t *testing.T) {
	if New(Options{}).transport.Proxy != nil {
		t.Error("a proxy would reach addresses that are refused here")
	}
}

func TestErrorsKeepSecrets(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	unused := listener.Addr().String()
	listener.Close()
	hanging := serve(t, hang)
	sender := local(t)
	sender.Limit = 50 * time.Millisecond
	for _, address := range []string{
		"http://name:word@" + unused + "/path?token=q",
		strings.Replace(hanging, "http://", "http://name:word@", 1) + "/path?token=q",
		"http://name:word@10.0.0.1/path?token=q",
		"ftp://name:word@shop.example/path?token=q",
		"http://name:word@shop.example:port/path?token=q",
		"http://name:word@/path?token=q",
	} {
		_, err := sender.Send(t.Context(), callback.Outgoing{URL: address, Body: []byte("content")})
		if err == nil {
			t.Errorf("%s was reached", address)
			continue
		}
		if _, ok := errors.AsType[*url.Error](err); ok {
			t.Errorf("the error holds the URL: %v", err)
		}
		for _, secret := range []string{"name", "word", "path", "token", "content"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error shows %s: %v", secret, err)
			}
		}
	}
}
