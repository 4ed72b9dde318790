package adminpage

import (
	"encoding/json"
	"net/http"
	"strings"
)

const (
	enterPath     = "/enter"  // where the page gets a token for the code of its link
	enterFragment = "#enter=" // of a link; browsers send no fragment to a server, nor to other sites
	maxEntry      = 1 << 10   // bytes of a request for a token
)

// bearer is the token that a request carries, "" for none.
func bearer(r *http.Request) string {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return token
}

// knows reports whether a token works.
func (s *Server) knows(token string) bool {
	ok, renewed := s.entry.knows(token, s.config.Now())
	s.renewed("Nobody has used the admin page for 30 minutes, so its access has ended.", renewed)
	return ok
}

// renewed passes on a new link, if there is a code of one.
func (s *Server) renewed(why, code string) {
	if code != "" && s.config.Renewed != nil {
		s.config.Renewed(why, s.linkOf(code))
	}
}

// enter sends the page its token for the code of the link that has opened it. A page that has a token may have been
// opened by a link that is used, and keeps it.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if status, why := refused(r); why != "" {
		refuse(w, status, why)
		return
	}
	var link struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxEntry)).Decode(&link); err != nil {
		refuse(w, http.StatusBadRequest, "The request can't be read.")
		return
	}
	token := bearer(r)
	if !s.knows(token) {
		var renewed string
		token, renewed = s.entry.use(link.Code, s.config.Now())
		s.renewed("The link was opened a second time. If it was not you, end this now.", renewed)
	}
	if token == "" {
		refuse(w, http.StatusForbidden, "This link does not work any more.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"token": token})
}
