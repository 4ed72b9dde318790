package simulator

import (
	"html/template"
	"net/http"
	"strings"

	"checkout/internal/money"
)

// Choice is what a payer does, or what happens to a waiting operation.
type Choice string

// The choices.
const (
	Approve Choice = "approve"
	Decline Choice = "decline"
	Expire  Choice = "expire"
	Half    Choice = "half"  // of the amount arrives
	Rest    Choice = "rest"  // what is missing arrives, in time or too late
	Whole   Choice = "whole" // the amount arrives, beside what has arrived before, in time or too late
	Dispute Choice = "dispute"
)

// Act lets a payer act on an operation by its id, and sends a notice about what has changed. It returns the operation.
func (s *Simulator) Act(id string, c Choice) (Operation, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool { return x.ID == id })
	if o == nil {
		return Operation{}, false
	}
	before := o.State
	moved := o.Moved
	switch waits := o.State == Waiting; {
	case waits && c == Approve && o.HoldOnly:
		o.State, o.Moved = Authorised, o.Amount
	case waits && c == Approve:
		o.State, o.Moved = Approved, o.Amount
	case waits && c == Decline:
		o.State, o.Reason = Declined, "payer_refused"
	case waits && c == Expire:
		o.State, o.Reason = Expired, "payer_too_slow"
	case waits && c == Half && o.Step == StepSend:
		o.Moved = half(o.Amount)
	case (c == Rest || c == Whole) && o.Step == StepSend && (waits || o.State == Expired):
		o.arrive(c)
		if waits {
			o.State = Approved
		}
	case o.State == Approved && c == Dispute:
		o.State, o.Reason = Reversed, "chargeback"
	}
	if o.State != before || o.Moved != moved {
		s.scheduleNotice(o)
		s.failLater(o)
	}
	return *o, true
}

// end ends an operation that waits for its payer and of which nothing has arrived. Any other stays as it is. It returns
// the operation.
func (s *Simulator) end(id string) Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool { return x.ID == id })
	if o == nil {
		return Operation{}
	}
	if o.State == Waiting && o.Step != NoStep && o.Moved.IsZero() {
		o.State, o.Reason = Declined, "payer_refused"
		s.scheduleNotice(o)
	}
	return *o
}

// arrive adds the rest of the amount, or the whole amount once more, to what has arrived.
func (o *Operation) arrive(c Choice) {
	if c == Rest {
		o.Moved = zero(o.Amount)
	}
	o.Moved, _ = o.Moved.Add(o.Amount)
}

// half is the smaller half of an amount.
func half(a money.Amount) money.Amount {
	minor := []byte(a.Minor())
	rest := byte(0)
	for i, digit := range minor {
		value := rest*10 + digit - '0'
		minor[i], rest = value/2+'0', value%2
	}
	result, err := money.ParseMinor(strings.TrimLeft(string(minor), "0"), a.Currency())
	if err != nil {
		return zero(a)
	}
	return result
}

// addPages adds the payers' pages.
func (s *Simulator) addPages() {
	s.mux.HandleFunc("GET /pay/{id}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		o := s.find(func(x *Operation) bool { return x.ID == r.PathValue("id") })
		var shown Operation
		if o != nil {
			shown = *o
		}
		s.mu.Unlock()
		if o == nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = payPage.Execute(w, shown)
	})
	s.mux.HandleFunc("POST /pay/{id}", func(w http.ResponseWriter, r *http.Request) {
		o, found := s.Act(r.PathValue("id"), Choice(r.FormValue("choice")))
		if !found {
			http.NotFound(w, r)
			return
		}
		to := o.ReturnURL
		if o.FailURL != "" && (o.State == Declined || o.State == Expired) {
			to = o.FailURL
		}
		if to == "" {
			to = s.PayURL(o)
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
	})
}

// PayURL is the address of an operation's payer's page.
func (s *Simulator) PayURL(o Operation) string { return s.URL + "/pay/" + o.ID }

var payPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated provider</title>
<h1>Simulated provider: {{.Family}}</h1>
<p>{{.Kind}} of {{.Amount}} {{.Amount.Currency.Code}}: {{.State}}{{with .Reason}}, {{.}}{{end}}</p>
{{if eq .State "waiting"}}<form method="post">
<button id="approve" name="choice" value="approve">Confirm</button>
<button id="decline" name="choice" value="decline">Refuse</button>
<button id="expire" name="choice" value="expire">Let the time run out</button>
{{if eq .Step "send"}}<button id="half" name="choice" value="half">Send half of it</button>{{end}}
</form>{{else if and (eq .State "expired") (eq .Step "send")}}<form method="post">
<button id="whole" name="choice" value="rest">Send it too late</button>
</form>{{end}}
`))
