package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"checkout/internal/money"
)

// addControl adds the control calls, which README.md describes.
func (s *Simulator) addControl() {
	s.control("POST /control/next", func(r *http.Request) (any, error) {
		var n Next
		if err := readControl(r, &n); err != nil {
			return nil, err
		}
		if err := s.wrongNext(n); err != nil {
			return nil, err
		}
		s.Expect(n)
		return nil, nil
	})
	s.control("POST /control/act", s.controlAct)
	s.control("POST /control/reset", func(*http.Request) (any, error) {
		s.Reset()
		return nil, nil
	})
	s.control("GET /control/chance", func(*http.Request) (any, error) { return s.chance(), nil })
	s.control("POST /control/chance", func(r *http.Request) (any, error) {
		c := s.chance()
		if err := readControl(r, &c); err != nil {
			return nil, err
		}
		if c.Chance < 0 || c.Chance > 100 {
			return nil, wrongInput("chance is not 0 to 100: how many of 100 operations have a fault")
		}
		s.setChance(c)
		return c, nil
	})
	s.control("GET /control/operations", func(r *http.Request) (any, error) {
		return last(r, s.shownOperations())
	})
	s.control("GET /control/requests", func(r *http.Request) (any, error) { return last(r, s.Requests()) })
	s.control("GET /control/notices", func(r *http.Request) (any, error) { return last(r, s.Notices()) })
}

func (e wrongInput) Error() string { return string(e) }

// control adds a control call. A call that returns nothing is responded to with 204.
func (s *Simulator) control(pattern string, call func(*http.Request) (any, error)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		result, err := call(r)
		switch {
		case errors.Is(err, errNoOperation):
			writeError(w, http.StatusNotFound, err.Error())
		case errors.Is(err, errNotPossible):
			writeError(w, http.StatusConflict, err.Error())
		case err != nil:
			writeError(w, http.StatusBadRequest, err.Error())
		case result == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			writeJSON(w, http.StatusOK, result)
		}
	})
}

// readControl reads the JSON object of a control call.
func readControl(r *http.Request, into any) error {
	decoder := json.NewDecoder(io.LimitReader(r.Body, 1<<16))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return wrongInput("the body is not the JSON object that is expected: " + err.Error())
	}
	return nil
}

// wrongNext returns what is wrong with a behaviour, nil if nothing is.
func (s *Simulator) wrongNext(n Next) error {
	known := n.Fault == NoFault
	for _, f := range faultsExplained {
		known = known || f.Fault == n.Fault
	}
	kinds := []Kind{"", Charge, Payout, Capture, Void, Refund, Other}
	switch {
	case !known:
		return wrongInput(fmt.Sprintf("fault %q is not known", n.Fault))
	case !slices.Contains(kinds, n.Kind):
		return wrongInput(fmt.Sprintf("kind %q is not one of %q", n.Kind, kinds[1:]))
	case n.Family != "" && s.familyNamed(n.Family).name == "":
		return wrongInput(fmt.Sprintf("family %q is not played", n.Family))
	case n.Count < 0:
		return wrongInput("count is below 0")
	case n.Fault == NoFault && n.Decline == "" && !n.Waits && !n.Settles:
		return wrongInput("fault, decline, waits or settles is missing")
	case n.Decline != "" && n.Waits:
		return wrongInput("what waits is not declined: choose decline or waits")
	case n.Kind == Other && !slices.Contains(faultsOfRequests, n.Fault):
		return wrongInput(fmt.Sprintf("of kind other, fault %q is not one of %q, and nothing else is chosen",
			n.Fault, faultsOfRequests))
	}
	return nil
}

// faultsOfRequests are the faults that a request has which is no operation.
var faultsOfRequests = []Fault{
	NeverResponds, RespondsLate, DropsConnection, LosesRequest, BrokenJSON, TooManyRequests, ServerError, SlowDrip,
}

func (s *Simulator) controlAct(r *http.Request) (any, error) {
	var call struct {
		ID     string `json:"id"`
		Choice Choice `json:"choice"`
		Amount string `json:"amount"`
	}
	if err := readControl(r, &call); err != nil {
		return nil, err
	}
	if call.Amount != "" {
		o, err := s.receive(call.ID, call.Amount)
		return s.shown(o), err
	}
	if !slices.ContainsFunc(actions(), func(a action) bool { return a.Choice == call.Choice }) {
		return nil, wrongInput(fmt.Sprintf("choice %q is not known", call.Choice))
	}
	o, err := s.act(call.ID, call.Choice)
	return s.shown(o), err
}

// receive lets an amount arrive that is written as a text.
func (s *Simulator) receive(id, text string) (Operation, error) {
	s.mu.Lock()
	o := s.byID[id]
	s.mu.Unlock()
	if o == nil {
		return Operation{}, errNoOperation
	}
	amount, err := money.Parse(text, o.Amount.Currency())
	if err != nil {
		return Operation{}, wrongInput(fmt.Sprintf("%q is no amount of %s", text, o.Amount.Currency().Code))
	}
	done, received := s.Receive(id, amount)
	if !received {
		return Operation{}, errNotPossible
	}
	return done, nil
}

func (s *Simulator) chance() Chances {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Chances{s.Seed, s.Chance}
}

func (s *Simulator) setChance(c Chances) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Seed, s.Chance = c.Seed, c.Chance
}

// shownOperation is an operation as control calls and pages show it: without the card.
type shownOperation struct {
	ID        string    `json:"id"`
	Family    string    `json:"family"`
	Kind      Kind      `json:"kind"`
	Reference string    `json:"reference"`
	Parent    string    `json:"parent,omitempty"`
	Method    string    `json:"method,omitempty"`
	Amount    string    `json:"amount"`
	Currency  string    `json:"currency"`
	Moved     string    `json:"moved"`
	State     State     `json:"state"`
	Step      Step      `json:"step,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Fault     Fault     `json:"fault,omitempty"`
	Page      string    `json:"page"`
	CreatedAt time.Time `json:"created_at"`
	Choices   []Choice  `json:"choices"` // that are possible
	Odd       string    `json:"-"`       // what was moved, if that is neither nothing nor the amount
}

func (s *Simulator) shown(o Operation) shownOperation {
	shown := shownOperation{
		ID: o.ID, Family: o.Family, Kind: o.Kind, Reference: o.Reference, Parent: o.Parent, Method: o.Method,
		Amount: o.Amount.String(), Currency: o.Amount.Currency().Code, Moved: o.Moved.String(), State: o.State,
		Step: o.Step, Reason: o.Reason, Fault: o.fault, Page: s.PayURL(o), CreatedAt: o.CreatedAt, Choices: []Choice{},
	}
	if !o.Moved.IsZero() && o.Moved != o.Amount {
		shown.Odd = shown.Moved
	}
	for _, a := range actions() {
		if a.possible(o) {
			shown.Choices = append(shown.Choices, a.Choice)
		}
	}
	return shown
}

func (s *Simulator) shownOperations() []shownOperation {
	all := []shownOperation{}
	for _, o := range s.Operations() {
		all = append(all, s.shown(o))
	}
	return all
}

// last returns the last elements of a list, as many as the query asks for; default: all.
func last[T any](r *http.Request, all []T) (any, error) {
	text := r.URL.Query().Get("last")
	if text == "" {
		return all, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return nil, wrongInput(fmt.Sprintf("last is %q: not a number of elements", text))
	}
	return all[max(0, len(all)-n):], nil
}

// change does what a form of the list says, and shows the list again.
func (s *Simulator) change(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	var err error
	switch r.FormValue("form") {
	case "act":
		_, err = s.act(r.FormValue("id"), Choice(r.FormValue("choice")))
	case "next":
		n := Next{Family: r.FormValue("family"), Kind: Kind(r.FormValue("kind")), Fault: Fault(r.FormValue("fault"))}
		if err = s.wrongNext(n); err == nil {
			s.Expect(n)
		}
	case "chance":
		err = s.changeChance(r.FormValue("seed"), r.FormValue("chance"))
	case "reset":
		s.Reset()
	default:
		err = wrongInput("the form is not known")
	}
	if err != nil {
		s.showList(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Simulator) changeChance(seedText, chanceText string) error {
	seed, seedErr := strconv.ParseUint(seedText, 10, 64)
	chance, chanceErr := strconv.ParseUint(chanceText, 10, 7)
	if seedErr != nil || chanceErr != nil || chance > 100 {
		return wrongInput("the seed is a number of 0 and more, and the chance one of 0 to 100")
	}
	s.setChance(Chances{seed, int(chance)})
	return nil
}
