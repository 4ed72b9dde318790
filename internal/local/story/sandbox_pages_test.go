package story

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// On a stack without the sandbox's pages, payments with the test key work as far as they need none of them.
func TestWithoutTheSandboxPages(t *testing.T) {
	w := open(t)
	w.app.Sandbox = nil
	w.server.Config.Handler = w.app.Handler()
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/sandbox/reference", nil}, {"POST", "/sandbox/reference", nil},
		{"POST", "/sandbox/wallet", map[string]any{"session": "x"}}, {"POST", "/api/v1/notify/sandbox", "{}"},
	} {
		if code, text := w.call(call.method, call.path, call.body); code != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", call.method, call.path, code, text)
		}
	}
	w.shop.visits("pen-1").pays("01/38")
	w.shop.told("sale success settled")
	payer := w.shop.visits("pen-2")
	payer.pays("05/38")
	page := strings.TrimPrefix(payer.bankPage(), w.server.URL)
	if code, text := w.call("GET", page, nil); code != http.StatusNotFound {
		t.Errorf("%s: %d %s", page, code, text)
	}
}

// press presses a button on the sandbox's page.
func (w *World) press(reference, button string) {
	w.atSandbox(reference, url.Values{"action": {button}})
}

// payAtSandbox pays a crypto payment on the sandbox's page.
func (w *World) payAtSandbox(reference, amount string) {
	w.atSandbox(reference, url.Values{"action": {"pay"}, "amount": {amount}})
}

func (w *World) atSandbox(reference string, form url.Values) {
	response, err := w.server.Client().PostForm(w.server.URL+"/sandbox/"+reference, form)
	if err == nil {
		response.Body.Close()
	}
}
