package demo

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// playground is the data of playground.html.
type playground struct {
	top
	Text     string // the session request, with placeholders
	Live     bool
	Problem  string // why the text can't be sent
	Steps    []step
	Own      string // the hash that the request came with, "" if the shop makes it
	Explain  *exchange
	Created  *exchange
	Page     string // the checkout page's address, "" if there is none
	Order    string
	Snippets []snippet
}

// exchange is a response of the service.
type exchange struct {
	OK      bool
	Status  string
	Text    string // JSON in lines
	Summary explanation
}

// explanation is what the shop says of an explanation of the service.
type explanation struct {
	Methods []explained `json:"methods"`
	MIDs    []struct {
		Name    string   `json:"mid"`
		Takes   bool     `json:"takes"`
		Methods []string `json:"methods"`
		Reasons []struct {
			Text string `json:"text"`
		} `json:"reasons"`
		Needs []need `json:"needs"`
	} `json:"mids"`
}

// explained is a method that the payer could choose.
type explained struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Fields []struct {
		ID string `json:"id"`
	} `json:"fields"`
}

// need is a parameter that a method lacks.
type need struct {
	Method    string `json:"method"`
	Parameter string `json:"parameter"`
	Need      string `json:"need"` // yes or conditional
	Text      string `json:"text"`
}

// Lacks returns the parameters that the page's methods lack: with the need yes what they can't do without, with
// conditional what only some lender, country or connector needs.
func (e explanation) Lacks(kind string) (lacks []need) {
	offered := map[string]bool{}
	for _, m := range e.Methods {
		offered[m.ID] = true
	}
	for _, mid := range e.MIDs {
		for _, n := range mid.Needs {
			if n.Need == kind && (offered[n.Method] || len(e.Methods) == 0) {
				lacks = append(lacks, n)
			}
		}
	}
	return lacks
}

// openPlayground is GET /demo/playground: the request of what the shop's form says, or of the shortest form.
func (s *Shop) openPlayground(w http.ResponseWriter, r *http.Request) {
	f := newForm()
	if len(r.URL.Query()) > 0 {
		f = s.readForm(r.URL.Query())
	}
	text, err := json.Marshal(s.session(f))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	t, _ := parseTree(string(text)) // it was just written
	text, _ = t.MarshalJSON()
	data := playground{Text: indent(text), Live: f.Live}
	s.prepare(&data)
	s.showPlayground(w, data)
}

// play is POST /demo/playground: it shows how the request in the form is signed, has it explained, or creates the
// session.
func (s *Shop) play(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	data := playground{Text: r.FormValue("request"), Live: r.FormValue("key") == "live"}
	ready, ok := s.prepare(&data)
	if action := r.FormValue("action"); ok && (action == "explain" || action == "create") {
		data.Explain, _ = s.exchange(r, "/api/v1/session/explain", ready)
		if data.Explain.OK {
			_ = json.Unmarshal([]byte(data.Explain.Text), &data.Explain.Summary) // what it lacks is not shown
		}
		if action == "create" {
			var created json.RawMessage
			if data.Created, created = s.exchange(r, "/api/v1/session", ready); data.Created.OK {
				o := s.store(ready.order, created)
				data.Page, data.Order = o.Page, o.Number
			} else if !data.Explain.OK {
				data.Explain = nil // for the same reason
			}
		}
	}
	s.showPlayground(w, data)
}

// prepare reads and signs the request. It returns whether there is one that can be sent.
func (s *Shop) prepare(data *playground) (signed, bool) {
	request, err := parseTree(data.Text)
	if err == nil && request.open != '{' {
		err = errors.New("a session request is a JSON object, in { and }")
	}
	if err != nil {
		data.Problem = err.Error()
		return signed{}, false
	}
	ready := s.sign(request, data.Live)
	data.Steps, data.Own = ready.steps, ready.own
	data.Snippets = s.config.snippets(request)
	return ready, true
}

// exchange sends a request and returns the response, also as it came if it is no refusal.
func (s *Shop) exchange(r *http.Request, path string, ready signed) (*exchange, json.RawMessage) {
	var response json.RawMessage
	err := s.post(r.Context(), path, ready.body, &response)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		return &exchange{Status: refused.Error(), Text: indent([]byte(refused.Body))}, nil
	case err != nil:
		return &exchange{Status: err.Error()}, nil
	}
	return &exchange{OK: true, Status: "HTTP 200", Text: indent(response)}, response
}

// showPlayground never writes a key, also if the service's response has it.
func (s *Shop) showPlayground(w http.ResponseWriter, data playground) {
	data.top = s.top("/demo/playground")
	keys := strings.NewReplacer(s.config.LiveKey, keySlot, s.config.TestKey, keySlot)
	for _, e := range []*exchange{data.Explain, data.Created} {
		if e != nil {
			e.Status, e.Text = keys.Replace(e.Status), keys.Replace(e.Text)
		}
	}
	show(w, http.StatusOK, "playground.html", data)
}
