package provider

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/local/simulator/raw"
)

// respondsWith starts a server that responds to every request with a text, which may be no HTTP.
func respondsWith(t *testing.T, text string) (url string) {
	t.Helper()
	return raw.Server(t, func(conn net.Conn) { _, _ = io.WriteString(conn, text) })
}

// A provider repeats what it was sent where HTTP has something else. The error has nothing of it, and the outcome is
// unknown.
func TestErrorsHaveNothingOfBrokenResponses(t *testing.T) {
	const secret = "4111111111111111-and-123"
	for name, text := range map[string]string{
		"status line": secret + "\r\n\r\n",
		"version":     "HTTP/" + secret + " 200 OK\r\n\r\n",
		"status":      "HTTP/1.1 " + secret + "\r\n\r\n",
		"header":      "HTTP/1.1 200 OK\r\n" + secret + "\r\n\r\n",
		"length":      "HTTP/1.1 200 OK\r\nContent-Length: " + secret + "\r\n\r\n",
		"encoding":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + secret + "\r\n\r\n",
		"chunk":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + secret + "\r\n",
		"location":    "HTTP/1.1 302 Found\r\nLocation: https://[" + secret + "\r\nContent-Length: 0\r\n\r\n",
		"port":        "HTTP/1.1 302 Found\r\nLocation: https://a:" + secret + "/\r\nContent-Length: 0\r\n\r\n",
	} {
		got, err := NewClient().Send(t.Context(), Request{Method: "POST", URL: respondsWith(t, text), Body: []byte("a pen")})
		switch {
		case err == nil || errors.Is(err, connector.ErrNotSent):
			t.Errorf("%s: %+v, %v", name, got, err)
		case strings.Contains(err.Error(), "411111") || strings.Contains(err.Error(), "-123"): // more than a port has
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A response that is too long says so.
func TestLongResponse(t *testing.T) {
	long := "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("a", maxResponse+1)
	_, err := NewClient().Send(t.Context(), Request{Method: "POST", URL: respondsWith(t, long)})
	if err == nil || !strings.HasSuffix(err.Error(), "the response has more than 1048576 bytes") {
		t.Error(err)
	}
}

// Card data and credentials are sent to nobody who could be read on the way.
func TestNothingIsSentWithoutTLS(t *testing.T) {
	for url, sent := range map[string]bool{
		"http://192.0.2.1/charges": false, "http://pay.example/charges": false, "ftp://127.0.0.1/": false,
		"http://127.0.0.1.pay.example/": false, "http://localhost.pay.example/": false, "http://169.254.169.254/": false,
		respondsWith(t, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"): true,
	} {
		reached := 0
		client := Over(roundTrip(func() { reached++ }))
		_, err := client.Send(t.Context(), Request{Method: "POST", URL: url, Body: []byte("a pen")})
		if (reached == 1) != sent || !sent && !errors.Is(err, connector.ErrNotSent) {
			t.Errorf("%s: reached %d times, %v", url, reached, err)
		}
	}
}

// roundTrip is a transport that counts and sends nothing.
type roundTrip func()

func (f roundTrip) RoundTrip(*http.Request) (*http.Response, error) {
	f()
	return nil, errors.New("not sent")
}
