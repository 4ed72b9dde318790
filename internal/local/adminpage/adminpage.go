// Package adminpage serves the built admin page to the browser of one person on this machine, and sends what the page
// requests to the admin API with that person's rights. It listens on 127.0.0.1 alone. The page's files are no secret.
// Each request to the API has to carry a token, and to be addressed to this server by the page itself. The page gets
// its token for the code of a link that works once, and stores it where only its own origin can read it: a cookie would
// be sent to every port of this machine.
package adminpage

import (
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Config says what to serve.
type Config struct {
	Page    string                 // folder of the built page
	Base    *url.URL               // of the admin API, without /admin/v1
	API     http.RoundTripper      // sends requests to it, with the person's credentials
	Port    int                    // on 127.0.0.1; 0: any free one
	Now     func() time.Time       // must be set
	Renewed func(why, link string) // gets a new link, with a sentence that says why there is one; nil: nobody does
}

// Server is a running one.
type Server struct {
	config Config
	hosts  []string // that requests may be addressed to
	entry  *entry
	server *http.Server
	served sync.WaitGroup
}

// Link is the address to open. It works once.
func (s *Server) Link() string { return s.linkOf(s.entry.current()) }

func (s *Server) linkOf(code string) string {
	return "http://" + s.hosts[0] + "/" + enterFragment + code
}

// Stop ends the server at once. It may be called more than once.
func (s *Server) Stop() {
	_ = s.server.Close() // the process ends anyway
	s.served.Wait()
}
