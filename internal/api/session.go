package api

import "net/http"

// createSession is POST /api/v1/session.
func (a *API) createSession(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	created, err := a.Service.CreateSession(r.Context(), body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, created)
	return nil
}
