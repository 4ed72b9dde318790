package demo

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestReceivers checks that the page of callbacks leads to every file of infra/receivers but its README.
func TestReceivers(t *testing.T) {
	shop := newShop(t, "p")
	page := visitAs(shop, "text/html", "/demo/callbacks").Body.String()
	const folder = "../../../infra/receivers/"
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != len(receivers)+1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(folder + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		address := "/demo/receiver/" + file.Name()
		w := visitAs(shop, "text/html", address)
		if file.Name() == "README.md" {
			if w.Code != http.StatusNotFound {
				t.Errorf("%s: %d", address, w.Code)
			}
			continue
		}
		if w.Body.String() != string(text) || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" ||
			!strings.Contains(page, `<a href="`+address+`">`) {
			t.Errorf("%s: %d %v\n%s", address, w.Code, w.Header(), w.Body)
		}
	}
}
