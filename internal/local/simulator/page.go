package simulator

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageText string

var pages = template.Must(template.New("").Parse(pageText))

// steps are the titles and texts of payers' pages by what the payer has to do.
var steps = map[Step][2]string{
	NoStep:      {"A payment", "The payer has nothing to do here."},
	StepPage:    {"The provider's page", "A payer confirms the payment here, or refuses it."},
	Step3DS:     {"3-D Secure", "The payer's bank asks whether the payment is the payer's."},
	StepConfirm: {"Confirm in the app", "What the payer sees on the phone."},
	StepSend:    {"Send the money", "What the payer does at a bank, in an app or at a counter."},
	StepCode:    {"Enter the code", "The payer was sent the code " + RightCode + "."},
}

// payView is a payer's page.
type payView struct {
	Style       template.CSS
	Title, Text string
	Operation   shownOperation
	Actions     []action
	AsksAmount  bool
	AsksCode    bool
	Wrong       string // what is wrong with what was sent
	Back        string
}

// listView is the page of everything.
type listView struct {
	Style      template.CSS
	Families   []string
	Choices    []choiceView
	Kinds      []Kind
	Faults     []Fault
	Chances    Chances
	Operations []operationView
	Wrong      string
}

type choiceView struct{ Amount, Card, Happens string }

type operationView struct {
	shownOperation
	Actions []action
	Notices []SentNotice
}

// shownLast is how many operations the list shows.
const shownLast = 50

// addPages adds the payers' pages and the list.
func (s *Simulator) addPages() {
	s.mux.HandleFunc("GET /pay/{id}", func(w http.ResponseWriter, r *http.Request) { s.showPay(w, r, http.StatusOK, "") })
	s.mux.HandleFunc("POST /pay/{id}", s.pay)
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { s.showList(w, http.StatusOK, "") })
	s.mux.HandleFunc("POST /{$}", s.change)
}

// showPay shows a payer's page, with what is wrong with what was sent.
func (s *Simulator) showPay(w http.ResponseWriter, r *http.Request, status int, wrong string) {
	s.mu.Lock()
	found := s.byID[r.PathValue("id")]
	var o Operation
	if found != nil {
		o = *found
	}
	s.mu.Unlock()
	if found == nil {
		writeError(w, http.StatusNotFound, errNoOperation.Error())
		return
	}
	step := steps[o.Step]
	view := payView{
		Title: step[0], Text: step[1], Operation: s.shown(o), Actions: possible(o), Wrong: wrong, Back: backFrom(o),
		AsksAmount: awaitsMoney(o) && o.Amount.IsZero(), AsksCode: waits(o) && o.Step == StepCode,
	}
	view.Style = template.CSS(pageStyle)
	showPage(w, status, page{"pay", view, view.Back})
}

// possible are the actions that an operation allows. One who sends money confirms nothing.
func possible(o Operation) []action {
	all := slices.DeleteFunc(actions(), func(a action) bool { return !a.possible(o) })
	for i := range all {
		switch {
		case o.Step == StepSend && all[i].Choice == Approve:
			all[i].Label = "Send all of it"
		case o.State == Expired && all[i].Choice == Whole:
			all[i].Label = "Send all of it too late"
		case o.State == Expired && all[i].Choice == Rest:
			all[i].Label = "Send the rest too late"
		}
	}
	return slices.DeleteFunc(all, func(a action) bool {
		partly := !o.Moved.IsZero()
		return o.Step == StepSend && (a.Choice == Approve && partly || !partly && (a.Choice == Rest ||
			a.Choice == Whole && o.State == Waiting))
	})
}

// backFrom is where the payer of an operation goes back to.
func backFrom(o Operation) string {
	if o.FailURL != "" && (o.State == Declined || o.State == Expired) {
		return o.FailURL
	}
	return o.ReturnURL
}

// page is a template with its view. Its forms may lead to an address, too.
type page struct {
	name string
	view any
	to   string
}

func showPage(w http.ResponseWriter, status int, p page) {
	sum := sha256.Sum256([]byte(pageStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'self'"
	if address, err := url.Parse(p.to); err == nil && (address.Scheme == "http" || address.Scheme == "https") &&
		!strings.ContainsAny(address.Host, "; ,") {
		policy += " " + address.Scheme + "://" + address.Host
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = pages.ExecuteTemplate(w, p.name, p.view)
}

// pay does what a button of a payer's page says, and leads the payer back.
func (s *Simulator) pay(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	id, choice := r.PathValue("id"), Choice(r.FormValue("choice"))
	found, known := s.Operation(id)
	if known && found.Step == StepCode && choice == Approve && r.FormValue("code") != RightCode {
		s.showPay(w, r, http.StatusUnprocessableEntity, "That is not the code: it is "+RightCode+".")
		return
	}
	var o Operation
	var err error
	if choice == "send" {
		o, err = s.receive(id, r.FormValue("amount"))
	} else {
		o, err = s.act(id, choice)
	}
	if err != nil {
		s.showPay(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	to := backFrom(o)
	if to == "" {
		to = s.PayURL(o)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// Operation returns an operation by its id, and whether there is one.
func (s *Simulator) Operation(id string) (Operation, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.byID[id]
	if o == nil {
		return Operation{}, false
	}
	return *o, true
}
