package simulator

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is what goes wrong with an operation.
type Fault string

// The faults. Where it is not said otherwise, the provider executes the request.
const (
	NoFault         Fault = ""
	NeverResponds   Fault = "never_responds"
	RespondsLate    Fault = "responds_late" // after lateness
	ReportsTwice    Fault = "reports_twice" // in the response, and in a notice at the same moment
	DropsConnection Fault = "drops_connection"
	LosesRequest    Fault = "loses_request" // nothing is executed, and the connection dropped
	NoticeFirst     Fault = "notice_first"  // before the response
	NoticesDoubled  Fault = "notices_doubled"
	NoticesDisorder Fault = "notices_out_of_order"
	BrokenJSON      Fault = "broken_json"
	WrongSignature  Fault = "wrong_signature"   // of the first notice; its repeat is right
	TooManyRequests Fault = "too_many_requests" // status 429 with Retry-After, nothing is executed
	ServerError     Fault = "server_error"      // status 500
	SlowDrip        Fault = "slow_drip"         // a byte a second
	FailsLater      Fault = "fails_later"       // an hour after it was approved
	OtherAmount     Fault = "other_amount"      // than was asked for
)

// faults by chance, all equally often.
var faults = []Fault{
	NeverResponds, RespondsLate, ReportsTwice, DropsConnection, LosesRequest, NoticeFirst, NoticesDoubled, NoticesDisorder,
	BrokenJSON, WrongSignature, TooManyRequests, ServerError, SlowDrip, FailsLater, OtherAmount,
}

const (
	lateness   = 25 * time.Second // longer than callers wait
	failsAfter = time.Hour
)

// behaviour is what happens to a new operation. The zero value: nothing special.
type behaviour struct {
	decline string // code of a decline
	waits   bool   // for the provider itself, which decides later
	fault   Fault
	settles bool // at once, without a step of the payer
}

// choice is a behaviour that a caller chooses by a card or an amount.
type choice struct {
	amount string // the last three digits of the amount in minor units, such as 905 for 9.05
	card   string
	behaviour
}

// Next is a behaviour of the next operations, by a control call. An empty Family or Kind is any.
type Next struct {
	Family  string `json:"family,omitempty"`
	Kind    Kind   `json:"kind,omitempty"`
	Fault   Fault  `json:"fault,omitempty"`
	Decline string `json:"decline,omitempty"` // code of a row of declines
	Waits   bool   `json:"waits,omitempty"`
	Settles bool   `json:"settles,omitempty"` // at once, without a step of the payer
	Count   int    `json:"count,omitempty"`   // 0: one
}

// Expect chooses the behaviour of the next operations.
func (s *Simulator) Expect(n Next) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Count = max(n.Count, 1)
	s.next = append(s.next, n)
}

// choose returns the behaviour of a new operation: of a control call, its card, its amount or chance. One that was
// chosen for a request that was not executed is over with it.
func (s *Simulator) choose(o Operation) behaviour {
	i := slices.IndexFunc(s.next, func(n Next) bool {
		return (n.Family == "" || n.Family == o.Family) && (n.Kind == "" || n.Kind == o.Kind)
	})
	if i >= 0 {
		n := s.next[i]
		if s.next[i].Count--; s.next[i].Count == 0 {
			s.next = slices.Delete(s.next, i, i+1)
		}
		return behaviour{n.Decline, n.Waits, n.Fault, n.Settles}
	}
	for _, c := range choices {
		byAmount := c.amount != "" && o.Kind != Void && strings.HasSuffix(o.Amount.Minor(), c.amount)
		if byAmount || c.card != "" && c.card == o.Card {
			return s.unlessRefusedBefore(o, c.behaviour)
		}
	}
	if s.random.IntN(100) < s.Chance {
		return behaviour{fault: faults[s.random.IntN(len(faults))]}
	}
	return behaviour{}
}

// unlessRefusedBefore leaves out a fault that keeps a request from being executed, if it was chosen for the same
// reference before.
func (s *Simulator) unlessRefusedBefore(o Operation, b behaviour) behaviour {
	if b.fault != TooManyRequests && b.fault != LosesRequest {
		return b
	}
	key := o.Family + " " + o.Account + " " + o.Reference
	if s.refusedBefore == nil {
		s.refusedBefore = map[string]bool{}
	}
	if s.refusedBefore[key] {
		return behaviour{}
	}
	s.refusedBefore[key] = true
	return b
}

// respond sends a response, with the fault of its operation.
func (s *Simulator) respond(w http.ResponseWriter, r *http.Request, e *exchange) {
	body := e.response.Body.Bytes()
	switch e.fault {
	case NeverResponds:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case DropsConnection, LosesRequest:
		panic(http.ErrAbortHandler)
	case RespondsLate:
		s.Pause(r.Context(), lateness)
	case BrokenJSON:
		body = body[:len(body)/2]
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	case ServerError:
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte(`{"error":"internal"}`))
		return
	case NoticeFirst, ReportsTwice:
		if e.operation != nil {
			s.sendNotice(*e.operation)
		}
	}
	for name, values := range e.response.Header() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.response.Code)
	if e.fault == SlowDrip {
		s.drip(w, r, body)
		return
	}
	_, _ = bytes.NewReader(body).WriteTo(w)
}

func (s *Simulator) drip(w http.ResponseWriter, r *http.Request, body []byte) {
	for i := range body {
		if _, err := w.Write(body[i : i+1]); err != nil || r.Context().Err() != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		s.Pause(r.Context(), time.Second)
	}
}
