package browser

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// shop is a merchant's site: the pages that payers return to, and pages that show the checkout in a frame.
type shop struct {
	origin string

	mu     sync.Mutex
	visits map[string]int // by order and ending
}

func openShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{visits: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{ending}", s.back)
	mux.HandleFunc("GET /frame/{depth}", s.frame)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.origin = strings.Replace(server.URL, "127.0.0.1", "localhost", 1) // so that all frames are in one process
	return s
}

// url is a return address with a parameter of the merchant.
func (s *shop) url(ending string) string { return s.origin + "/" + ending + "?shop=1" }

func write(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Merchant</title>`+
		`<style>body{margin:0}iframe{border:0;width:1000px;height:800px;display:block}</style>%s`, body)
}

func (s *shop) back(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.visits[r.FormValue("order_id")+" "+r.PathValue("ending")]++
	s.mu.Unlock()
	write(w, "<h1>"+html.EscapeString(r.PathValue("ending"))+"</h1>")
}

// visited counts the visits of an order's payer to a return address.
func (s *shop) visited(order, ending string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visits[order+" "+ending]
}

// frame shows src in a frame, or at depth 2 in a frame in a frame, each at the upper left corner.
// The innermost may do no more than sandbox says, if the address has it.
func (s *shop) frame(w http.ResponseWriter, r *http.Request) {
	src := r.FormValue("src")
	if r.PathValue("depth") == "2" {
		src = strings.Replace(r.URL.String(), "/frame/2", "/frame/1", 1)
	}
	limit := ""
	if allowed := r.FormValue("sandbox"); allowed != "" {
		limit = ` sandbox="` + html.EscapeString(allowed) + `"`
	}
	write(w, `<iframe src="`+html.EscapeString(src)+`"`+limit+`></iframe><script>addEventListener("message", e => {`+
		`if (e.data.type == "checkout:resize") document.querySelector("iframe").dataset.height = e.data.height})</script>`)
}
