package local_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"checkout/internal/local"
)

// walletFolder is a folder with a frame of a few lines in the place of the built one.
func walletFolder(t *testing.T) string {
	t.Helper()
	return folderOf(t, map[string]string{"index.html": `<!doctype html><html data-page="{PAGE_ORIGIN}"><title>Google Pay`,
		"frame-ABC.js": "export {}", "frame-ABC.css": "button {}"})
}

// framePolicy is the Content-Security-Policy of the frame: no host but Google's, and what Google's script needs of it.
const framePolicy = "default-src 'none'; script-src 'self' https://pay.google.com; style-src 'self'; " +
	"img-src 'self' https://www.gstatic.com https://pay.google.com; " +
	"connect-src https://pay.google.com https://google.com https://www.google.com; " +
	"frame-src https://pay.google.com; form-action 'none'; base-uri 'none'"

func TestTheFrameOfGooglePayIsAnotherOrigin(t *testing.T) {
	server, client := start(t), browser(t)
	for path, want := range map[string]struct {
		status             int
		kind, cache, place string // Content-Type, Cache-Control, and what is in the body
	}{
		"/":              {200, "text/html; charset=utf-8", "no-cache", `data-page="` + server.URL + `"`},
		"/index.html":    {200, "text/html; charset=utf-8", "no-cache", `data-page="` + server.URL + `"`},
		"/frame-ABC.js":  {200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "export {}"},
		"/frame-ABC.css": {200, "text/css; charset=utf-8", "public, max-age=31536000, immutable", "button {}"},
		"/main-ABC.js":   {404, "text/plain; charset=utf-8", "", ""}, // of the page
		"/page/v1/none":  {404, "text/plain; charset=utf-8", "", ""},
		"/demo":          {404, "text/plain; charset=utf-8", "", ""},
	} {
		status, header, body := get(t, client, server.WalletURL+path)
		if status != want.status || !strings.Contains(body, want.place) {
			t.Errorf("%s: %d %s", path, status, body)
		}
		for name, value := range map[string]string{
			"Content-Type": want.kind, "Cache-Control": want.cache, "Content-Security-Policy": framePolicy,
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin", "Cross-Origin-Opener-Policy": "",
			"Permissions-Policy": "camera=(), geolocation=(), microphone=(), usb=()", "Strict-Transport-Security": "",
		} {
			if header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", path, name, header.Get(name), value)
			}
		}
		if changed := header.Get("Last-Modified"); changed != "" && want.cache == "no-cache" {
			t.Errorf("%s: a browser may take it for unchanged since %s, when the page has another origin", path, changed)
		}
	}
	response, err := client.PostForm(server.WalletURL+"/api/v1/session", url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("the API on the frame's origin: %s", response.Status)
	}
	if status, _, _ := get(t, client, server.URL+"/frame-ABC.js"); status != http.StatusNotFound {
		t.Errorf("a script of the frame on the page's origin: %d", status)
	}
	if server.App.Page.WalletURL != server.WalletURL {
		t.Errorf("the service has %q as the frame's address", server.App.Page.WalletURL)
	}
	if welcome := server.Demo.Welcome(); !strings.Contains(welcome, "  wallet      "+server.WalletURL+" (") {
		t.Errorf("the welcome: %s", welcome)
	}
}

// A browser takes wallet.localhost for another site than localhost, as pages of two CloudFront names are.
func TestTheFrameCanBeOnAnotherSite(t *testing.T) {
	with := config(t)
	with.WalletHost = "wallet.localhost"
	server, err := local.Start(t.Context(), with)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	host, client := strings.TrimPrefix(server.WalletURL, "http://"), browser(t)
	if !strings.HasPrefix(host, "wallet.localhost:") || server.App.Page.WalletURL != server.WalletURL {
		t.Errorf("the frame is at %s, for the service at %s", server.WalletURL, server.App.Page.WalletURL)
	}
	if _, header, _ := get(t, client, server.URL+"/"); !strings.Contains(header.Get("Content-Security-Policy"),
		"; frame-src "+host+"; ") {
		t.Errorf("the page may not show it: %s", header.Get("Content-Security-Policy"))
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		strings.Replace(server.WalletURL, "wallet.localhost", "127.0.0.1", 1)+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `data-page="`+server.URL+`"`) {
		t.Errorf("by that name: %s %s", response.Status, body)
	}
}

// The port of the frame ends with the run, and the error for one that can't be had names its variable.
func TestPortOfTheFrame(t *testing.T) {
	server := start(t)
	taken := server.WalletURL[strings.LastIndex(server.WalletURL, ":")+1:]
	for port, want := range map[string]string{
		taken: "port " + taken + " is taken: end what uses it, or set WALLET_PORT to another one\n",
		"x":   "WALLET_PORT is \"x\": not a number from 0 to 65535\n",
	} {
		var out, log output
		env := map[string]string{"PORT": "0", "WALLET_PORT": port}
		code := local.Run(t.Context(), func(name string) string { return env[name] }, config(t),
			local.Output{Out: &out, Log: &log})
		if code != 1 || out.String() != "" || log.String() != want {
			t.Errorf("%d %s%s", code, out.String(), log.String())
		}
	}
	server.Stop()
	if response, err := browser(t).Get(server.WalletURL + "/"); err == nil {
		response.Body.Close()
		t.Error("it still answers")
	}
}
