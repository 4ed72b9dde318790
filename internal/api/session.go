package api

import "net/http"

// createSession is POST /api/v1/session.
func (a *API) createSession(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.CreateSession)
}

// explain is POST /api/v1/session/explain. It changes nothing, so it knows no Idempotency-Key.
func (a *API) explain(w http.ResponseWriter, r *http.Request) error {
	return query(w, r, a.Service.Explain)
}
