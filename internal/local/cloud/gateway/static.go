package gateway

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"time"

	"checkout/internal/local/cloud/template"
)

// serveStatic serves an object of the bucket. A missing one is forbidden, because the distribution may not list the
// bucket, unless the distribution has an error page for that.
func (g *Gateway) serveStatic(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Path
	if key == "/" && g.config.Site.RootObject != "" {
		key = "/" + g.config.Site.RootObject
	}
	if text, changed, ok := g.object(key); ok {
		w.Header().Set("Content-Type", contentType(key, text))
		http.ServeContent(w, r, key, changed, bytes.NewReader(text))
		return
	}
	for _, e := range g.config.Site.Errors {
		if e.Code != http.StatusForbidden {
			continue
		}
		if text, _, ok := g.object(e.PagePath); ok {
			w.Header().Set("Content-Type", contentType(e.PagePath, text))
			w.WriteHeader(e.Status)
			w.Write(text)
			return
		}
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusForbidden)
	io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access `+
		`Denied</Message></Error>`)
}

// object reads a file of the static directory, never one outside it.
func (g *Gateway) object(key string) (text []byte, changed time.Time, ok bool) {
	root, err := os.OpenRoot(g.config.StaticDir)
	if err != nil || key != path.Clean(key) || key == "/" {
		return nil, time.Time{}, false
	}
	defer root.Close()
	info, err := root.Stat(key[1:])
	if err != nil || !info.Mode().IsRegular() {
		return nil, time.Time{}, false
	}
	text, err = root.ReadFile(key[1:])
	if key == "/"+g.config.Site.RootObject && g.config.PageOrigin != "" {
		// Without a time: it changes with the origin, too.
		return bytes.ReplaceAll(text, []byte("{PAGE_ORIGIN}"), []byte(g.config.PageOrigin)), time.Time{}, err == nil
	}
	return text, info.ModTime(), err == nil
}

func contentType(key string, text []byte) string {
	if kind := mime.TypeByExtension(path.Ext(key)); kind != "" {
		return kind
	}
	return http.DetectContentType(text)
}

// changed is a request as a CloudFront function of the template passes it on.
func changed(r *http.Request, function string) *http.Request {
	other := r.Clone(r.Context())
	switch function {
	case template.PlainPathFunction:
		other.URL.Path = PlainPath(r.URL.Path)
	case template.LanguagePageFunction:
		other.URL.Path = template.LanguagePath(r)
	}
	return other
}
