package local

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"checkout/internal/api"
	"checkout/internal/local/cloud/gateway"
	"checkout/internal/local/cloud/template"
)

// site is a distribution of the template: which paths go to the API, and which headers responses get.
type site template.Site

// sites are the distributions of the checkout page, of the frame of Google Pay, and of the admin page that people sign
// in to.
type sites struct{ page, wallet, admin site }

// readSites reads the template for these addresses of the two. Its error is one line, the first of the template's
// faults.
func readSites(file, page, wallet string) (sites, error) {
	domain := strings.TrimPrefix(page, "http://")
	t, err := template.Read(file, template.Options{
		StackName: "local", Region: "local", Account: "000000000000",
		Domains:  map[string]string{template.PageSite: domain, template.WalletSite: strings.TrimPrefix(wallet, "http://")},
		QueueURL: func(name string) string { return "http://" + domain + "/" + name },
		Parameters: map[string]string{
			"AdminLogin": "oidc", "AdminLoginIssuer": "https://local", "AdminLoginClientId": "local",
			"AdminLoginSecret": "local",
		},
	})
	if errors.Is(err, os.ErrNotExist) {
		return sites{}, fmt.Errorf("no template %s: run this in the repository's folder", file)
	}
	if err != nil {
		line, _, more := strings.Cut(err.Error(), "\n")
		if more {
			line += " (and more)"
		}
		return sites{}, errors.New(line)
	}
	return sites{
		site(t.Sites[template.PageSite]), site(t.Sites[template.WalletSite]), site(t.Sites[template.AdminSite]),
	}, nil
}

// handler serves the API and static files with the headers of the template. The handlers set none of the headers that
// override theirs, so all are set before.
func (s site) handler(service, static http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next := static
		for _, b := range s.Behaviors {
			if !template.Match(b.Pattern, api.PlainPath(r.URL.Path)) {
				continue
			}
			if b.ToAPI {
				next = service
			}
			if b.Function == template.LanguagePageFunction {
				r = r.Clone(r.Context())
				r.URL.Path = template.LanguagePath(r)
			}
			for _, h := range b.Headers {
				if h.Name != "Strict-Transport-Security" { // means nothing over http
					w.Header().Set(h.Name, h.Value)
				}
			}
			break
		}
		next.ServeHTTP(w, r)
	})
}

// servePage serves the files of a folder and reads them each time, so that a new build is shown at once. As on AWS,
// they are compressed, and browsers may not cache the pages themselves, and for good all files whose names contain a
// hash of their content. In a page pageOrigin takes the place of {PAGE_ORIGIN}, which only the frame of Google Pay has.
func servePage(folder, root, pageOrigin string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = root
		}
		text, found := readPage(folder, name)
		if !found {
			http.NotFound(w, r)
			return
		}
		switch {
		case path.Ext(name) == ".html":
			filled := bytes.ReplaceAll(text.content, []byte("{PAGE_ORIGIN}"), []byte(pageOrigin))
			if !bytes.Equal(filled, text.content) {
				text = pageFile{content: filled} // without a time, since it changes with the origin, too
			}
			w.Header().Set("Cache-Control", "no-cache")
		case strings.HasPrefix(name, "logos/"):
			w.Header().Set("Cache-Control", "public, max-age=3600")
		case strings.HasPrefix(name, ".well-known/"): // a name without an ending
			w.Header().Set("Cache-Control", "public, max-age=3600")
			w.Header().Set("Content-Type", "text/plain")
		default:
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		w.Header().Set("Content-Type", cmp.Or(w.Header().Get("Content-Type"), mime.TypeByExtension(path.Ext(name))))
		if small := gateway.Compressed(r, w.Header(), text.content); small != nil {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.Itoa(len(small)))
			text.content = small
		}
		http.ServeContent(w, r, name, text.changed, bytes.NewReader(text.content))
	})
}

// pageFile is a file of the built page.
type pageFile struct {
	content []byte
	changed time.Time
}

// readPage reads a file of the folder, never one outside it.
func readPage(folder, name string) (pageFile, bool) {
	root, err := os.OpenRoot(folder)
	if err != nil || name != path.Clean(name) {
		return pageFile{}, false
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return pageFile{}, false
	}
	content, err := root.ReadFile(name)
	return pageFile{content, info.ModTime()}, err == nil
}
