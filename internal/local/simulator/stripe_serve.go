package simulator

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

func stripeFamily() family {
	var p atomic.Pointer[stripe] // another one after each reset
	return family{
		name: "stripe",
		routes: func(s *Simulator) map[string]http.HandlerFunc {
			p.Store(&stripe{
				Simulator: s, tokens: map[string]bool{}, refunds: map[string]map[string]string{}, closed: map[string]bool{},
				repeats: map[string]stripeReply{},
			})
			return p.Load().handlers()
		},
		notice: func(_ *Simulator, o Operation) *http.Request { return p.Load().notice(o) },
		spoil: func(r *http.Request) {
			r.Header.Set("Stripe-Signature", r.Header.Get("Stripe-Signature")[:20]+strings.Repeat("0", 64))
		},
	}
}

// handlers are the handlers of all routes, and of all that Stripe does not have or the simulator does not play.
func (p *stripe) handlers() map[string]http.HandlerFunc {
	all := map[string]http.HandlerFunc{}
	for _, route := range p.routes() {
		all[route.pattern] = p.handle(route)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		unknown := stripeRoute{handler: unrecognized, optional: "*"}
		all[method+" /v1/{path...}"] = p.handle(unknown)
	}
	return all
}

func unrecognized(r stripeRequest) (any, *stripeError) {
	e := wrong("", "", "Unrecognized request URL ("+r.Method+": /v1/"+r.PathValue("path")+"). "+
		"The simulator plays a part of Stripe's API.")
	e.status = http.StatusNotFound
	return nil, e
}

// handle checks a request, and handles it once for each Idempotency-Key.
func (p *stripe) handle(route stripeRoute) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.handled++
		w.Header().Set("Request-Id", fmt.Sprintf("req_sim%08d", p.handled))
		account, e := stripeAccount(r)
		if err := r.ParseForm(); e == nil && err != nil {
			e = wrong("", "", "the form can't be read")
		}
		if e == nil {
			e = route.check(r.Form)
		}
		if e != nil {
			writeJSON(w, e.status, e.body())
			return
		}
		p.once(w, stripeRequest{r, account, r.Form}, route.handler)
	}
}

// stripeAccount is the account of a request: the key that it was signed with. Each of Stripe's test keys, and each that
// begins with Key, is that of an account of its own.
func stripeAccount(r *http.Request) (string, *stripeError) {
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer {
		key, _, _ = r.BasicAuth()
	}
	e := wrong("", "", "You did not provide an API key. You need to provide your API key in the Authorization header.")
	e.status = http.StatusUnauthorized
	switch {
	case key == "":
		return "", e
	case key == Key, strings.HasPrefix(key, Key+"_"),
		strings.HasPrefix(key, "sk_test_"), strings.HasPrefix(key, "rk_test_"):
		return key, nil
	}
	shown := key[:min(len(key), 4)] + "****" + key[max(len(key)-4, min(len(key), 4)):]
	e.Message = "Invalid API Key provided: " + shown
	return "", e
}

// once responds to a repeat with the same key as to the first request.
func (p *stripe) once(w http.ResponseWriter, r stripeRequest, handler stripeHandler) {
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost || p.Twice && r.URL.Path == "/stripe/v1/refunds" {
		key = ""
	}
	request := sha256.Sum256([]byte(r.URL.Path + "?" + r.form.Encode()))
	if before, repeated := p.repeats[r.account+" "+key]; repeated && key != "" && p.Now().Sub(before.at) < stripeKeyLife {
		if before.request != request {
			e := &stripeError{status: http.StatusBadRequest, Type: "idempotency_error", Message: "Keys for idempotent " +
				"requests can only be used with the same parameters they were first used with. Try using a key other than '" +
				key + "' if you meant to execute a different request."}
			writeJSON(w, e.status, e.body())
			return
		}
		w.Header().Set("Idempotent-Replayed", "true")
		writeRaw(w, before.status, before.body)
		return
	}
	object, fault := handler(r)
	if fault == nil {
		fault = p.expand(r, object)
	}
	status := http.StatusOK
	if fault != nil {
		object, status = fault.body(), fault.status
	}
	if status == 0 { // not executed: a fault of the simulator decides what is sent
		return
	}
	body, err := json.Marshal(object)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if fault == nil || fault.Type != "invalid_request_error" || fault.Code == "payment_intent_unexpected_state" {
		p.repeats[r.account+" "+key] = stripeReply{request, status, body, p.Now()}
	}
	if key != "" {
		w.Header().Set("Idempotency-Key", key)
	}
	writeRaw(w, status, body)
}

func writeRaw(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(w)
}
