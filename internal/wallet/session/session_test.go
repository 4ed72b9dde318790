package session

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
)

// gateway plays the wallet's gateway, and writes down who has asked it for what.
type gateway struct {
	*httptest.Server
	hosts  []string // that were dialled
	asked  []map[string]string
	client *Client
}

// newGateway starts a gateway that takes the certificate of one merchant alone.
func newGateway(t *testing.T, identity settingstest.Pair, handle http.HandlerFunc) *gateway {
	t.Helper()
	g := &gateway{}
	g.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]string
		text, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(text, &asked) != nil {
			t.Errorf("a request with the body %q: %v", text, err)
		}
		g.asked = append(g.asked, asked)
		handle(w, r)
	}))
	block, _ := pem.Decode([]byte(identity.Certificate))
	known, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	g.TLS = &tls.Config{
		ClientAuth: tls.RequireAnyClientCert,
		VerifyConnection: func(s tls.ConnectionState) error {
			if !s.PeerCertificates[0].Equal(known) {
				return fmt.Errorf("another merchant's certificate")
			}
			return nil
		},
	}
	g.StartTLS()
	t.Cleanup(g.Close)
	g.client = &Client{transport: func(own tls.Certificate) *http.Transport {
		transport := newTransport(own)
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			g.hosts = append(g.hosts, address)
			return (&net.Dialer{}).DialContext(ctx, network, g.Listener.Addr().String())
		}
		transport.TLSClientConfig.InsecureSkipVerify = true // the server has no name of the wallet's
		return transport
	}}
	return g
}

// begin begins a session for a page of shop.example.
func (g *gateway) begin(ctx context.Context, own settings.ApplePay) (json.RawMessage, error) {
	return g.client.Begin(ctx, own, "shop.example")
}

func pens(identity settingstest.Pair) settings.ApplePay {
	return settings.ApplePay{
		MerchantIdentifier: "merchant.pens", Country: "DE", ShopName: "Pens",
		IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
	}
}

// The request names merchant and domain, goes to the wallet's own host, and shows the merchant's certificate.
func TestBegin(t *testing.T) {
	identity := settingstest.Identity(t, "merchant.pens", time.Now().AddDate(1, 0, 0))
	g := newGateway(t, identity, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path || r.Method != http.MethodPost {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		fmt.Fprint(w, ` {"nonce":"n","signature":"s"} `)
	})
	got, err := g.begin(t.Context(), pens(identity))
	if err != nil || string(got) != `{"nonce":"n","signature":"s"}` {
		t.Fatalf("%s, %v", got, err)
	}
	want := map[string]string{"merchantIdentifier": "merchant.pens", "displayName": "Pens", "initiative": "web",
		"initiativeContext": "shop.example"}
	if len(g.asked) != 1 || !reflect.DeepEqual(g.asked[0], want) {
		t.Errorf("%v, want %v", g.asked, want)
	}
	inChina := pens(identity)
	inChina.Country = "CN"
	if _, err := g.begin(t.Context(), inChina); err != nil {
		t.Error(err)
	}
	if want := []string{host + ":443", hostInChina + ":443"}; !reflect.DeepEqual(g.hosts, want) {
		t.Errorf("hosts %q, want %q", g.hosts, want)
	}
}

// Whatever the gateway does, no session is begun, and no error repeats what it sent.
func TestBeginFails(t *testing.T) {
	identity := settingstest.Identity(t, "merchant.pens", time.Now().AddDate(1, 0, 0))
	const secret = "SESSION-OBJECT"
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, secret, http.StatusExpectationFailed)
		}, "status 417"},
		"redirected": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/"+secret, http.StatusFound)
		}, "status 302"},
		"no object": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `"`+secret+`"`) }, "no JSON object"},
		"broken":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"`+secret) }, "no JSON object"},
		"empty":     {func(http.ResponseWriter, *http.Request) {}, "no JSON object"},
		"long": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"a":"`+strings.Repeat("a", maxResponse)+`"}`)
		}, "too long"},
		"dropped": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newGateway(t, identity, test.handle).begin(t.Context(), pens(identity))
			if got != nil || err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	t.Run("no response", func(t *testing.T) {
		wait := make(chan struct{})
		g := newGateway(t, identity, func(http.ResponseWriter, *http.Request) { <-wait })
		defer close(wait)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := g.begin(ctx, pens(identity)); err == nil {
			t.Error("no error")
		}
	})
	t.Run("another merchant's certificate", func(t *testing.T) {
		g := newGateway(t, identity, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
		other := settingstest.Identity(t, "merchant.other", time.Now().AddDate(1, 0, 0))
		if _, err := g.begin(t.Context(), pens(other)); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a key that does not fit", func(t *testing.T) {
		own := pens(identity)
		own.IdentityKey = settingstest.Key(t)
		_, err := NewClient().Begin(t.Context(), own, "shop.example")
		if err == nil || strings.Contains(err.Error(), "BEGIN") {
			t.Errorf("%v", err)
		}
	})
}

// A server without one of the wallet's certificates gets no request.
func TestBeginTrustsTheSystemsRootsAlone(t *testing.T) {
	identity := settingstest.Identity(t, "merchant.pens", time.Now().AddDate(1, 0, 0))
	g := newGateway(t, identity, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	trusting := g.client.transport
	g.client.transport = func(own tls.Certificate) *http.Transport {
		transport := trusting(own)
		transport.TLSClientConfig.InsecureSkipVerify = newTransport(own).TLSClientConfig.InsecureSkipVerify
		return transport
	}
	if _, err := g.begin(t.Context(), pens(identity)); err == nil || len(g.asked) != 0 {
		t.Errorf("%v, %d requests", err, len(g.asked))
	}
}
