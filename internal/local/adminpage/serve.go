package adminpage

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Start serves the page until Stop or until ctx ends. Its errors are one line and name what is missing: a free port or
// the built page.
func Start(ctx context.Context, config Config) (*Server, error) {
	if _, err := os.Stat(filepath.Join(config.Page, index)); err != nil {
		return nil, fmt.Errorf("the admin page is not built: no %s in %s; run `make page`", index, config.Page)
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(config.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is taken: end what uses it, or choose another one for the admin page", config.Port)
	}
	if err != nil {
		return nil, fmt.Errorf("can't listen for the admin page: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, err
	}
	s := &Server{config: config, hosts: []string{"127.0.0.1:" + port, "localhost:" + port}, entry: newEntry()}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 32 << 10,
		DisableGeneralOptionsHandler: true}
	s.served.Go(func() { _ = s.server.Serve(listener) })
	context.AfterFunc(ctx, s.Stop)
	return s, nil
}

// headers are those of every response.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
	"Cache-Control":                "no-store",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	switch {
	case !s.addressed(r):
		http.Error(w, "This address is not that of the admin page.", http.StatusMisdirectedRequest)
	case r.URL.Path == enterPath && r.Method == http.MethodPost:
		s.enter(w, r)
	case strings.HasPrefix(r.URL.Path, "/admin/"):
		if !s.knows(bearer(r)) {
			refuse(w, http.StatusUnauthorized, "This page has no access, or none any more: open a new link.")
			return
		}
		s.call(w, r)
	case r.Method != http.MethodGet:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	default:
		s.file(w, r)
	}
}

// addressed reports whether a request is for this server by its own name. Another name is that of a site which has
// made it point to this machine.
func (s *Server) addressed(r *http.Request) bool {
	return strings.HasPrefix(r.RequestURI, "/") && (r.Host == s.hosts[0] || r.Host == s.hosts[1])
}

const index = "index.html"

// types are the files that a page may consist of.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
}

// file sends a file of the page, read each time so that a new build is shown at once. A path without a dot is a view of
// the page, which reads it itself.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if !strings.Contains(name, ".") {
		name = index
	}
	content, err := s.read(name)
	kind := types[path.Ext(name)]
	if err != nil || kind == "" {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(content)
}

// read returns a file of the page's folder, never one outside it.
func (s *Server) read(name string) ([]byte, error) {
	root, err := os.OpenRoot(s.config.Page)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}
