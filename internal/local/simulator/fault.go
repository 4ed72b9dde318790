package simulator

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Fault is what goes wrong with an operation.
type Fault string

// The faults. Where it is not said otherwise, the provider executes the request.
const (
	NoFault         Fault = ""
	NeverResponds   Fault = "never_responds"
	RespondsLate    Fault = "responds_late"    // after lateness
	ReportsTwice    Fault = "reports_twice"    // in the response, and in a notice at the same moment
	DropsConnection Fault = "drops_connection" // before the response
	LosesRequest    Fault = "loses_request"    // nothing is executed, and the connection dropped
	NoticeFirst     Fault = "notice_first"     // it is delivered before the response
	NoticesDoubled  Fault = "notices_doubled"
	NoticesDisorder Fault = "notices_out_of_order" // the first one comes after later ones
	BrokenJSON      Fault = "broken_json"
	WrongSignature  Fault = "wrong_signature"   // of the first try of each notice; the next is right
	TooManyRequests Fault = "too_many_requests" // status 429 with Retry-After, nothing is executed
	ServerError     Fault = "server_error"      // status 500
	SlowDrip        Fault = "slow_drip"         // a byte a second
	FailsLater      Fault = "fails_later"       // an hour after a charge, refund or payout was approved
	OtherAmount     Fault = "other_amount"      // a minor unit less than was asked for
	FoundLate       Fault = "found_late"        // status 502; look-ups find it foundLate later
)

// faultsExplained are all faults, and what happens.
var faultsExplained = []struct {
	Fault Fault
	Means string
}{
	{NeverResponds, "is executed, and there is never a response"},
	{RespondsLate, "is executed, and the response comes after 25 s"},
	{ReportsTwice, "is reported by the response and by a notice at the same moment"},
	{DropsConnection, "is executed, and the connection dropped"},
	{LosesRequest, "is not executed, and the connection dropped; a repeat is executed"},
	{NoticeFirst, "the notice is delivered before the response"},
	{NoticesDoubled, "each notice is sent twice at once"},
	{NoticesDisorder, "the first notice is sent after later ones"},
	{BrokenJSON, "is executed, and half of the response is sent"},
	{WrongSignature, "each notice is sent with a wrong signature first"},
	{TooManyRequests, "is not executed: status 429 with Retry-After; a repeat is executed"},
	{ServerError, "is executed, and the response is status 500"},
	{SlowDrip, "is executed, and the response comes at a byte a second"},
	{FailsLater, "a charge, refund or payout is approved, and fails an hour later"},
	{OtherAmount, "a minor unit less than asked for is moved"},
	{FoundLate, "is executed, and the response is status 502; look-ups find it after 5 min, and a repeat before that is " +
		"executed again"},
}

// Faults returns all faults.
func Faults() (all []Fault) {
	for _, f := range faultsExplained {
		all = append(all, f.Fault)
	}
	return all
}

const (
	lateness   = 25 * time.Second // longer than callers wait
	failsAfter = time.Hour
	foundLate  = 5 * time.Minute
)

// isHidden reports whether the provider does not find an operation yet that it has executed. Stripe reads its objects
// by their ids, and so has them at once.
func (s *Simulator) isHidden(o *Operation) bool {
	return o.fault == FoundLate && o.Family != "stripe" && s.Now().Before(o.CreatedAt.Add(foundLate))
}

// behaviour is what happens to a new operation. The zero value: nothing special.
type behaviour struct {
	decline string // code of a decline
	waits   bool   // for the provider itself, which decides later
	fault   Fault
	settles bool // at once, without a step of the payer
}

// Next is a behaviour of the next operations, by a control call. An empty Family or Kind is any. Of kind Other, it has
// only a fault.
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

// takeNext returns the behaviour that was chosen for the next operation of a kind, and whether there is one. The
// caller has locked the ledger.
func (s *Simulator) takeNext(family string, kind Kind) (Next, bool) {
	i := slices.IndexFunc(s.next, func(n Next) bool {
		return (n.Family == "" || n.Family == family) && (n.Kind == kind || n.Kind == "" && kind != Other)
	})
	if i < 0 {
		return Next{}, false
	}
	n := s.next[i]
	if s.next[i].Count--; s.next[i].Count == 0 {
		s.next = slices.Delete(s.next, i, i+1)
	}
	return n, true
}

// choose returns the behaviour of a new operation: of a control call, its card, its amount or chance.
func (s *Simulator) choose(o Operation) behaviour {
	if n, found := s.takeNext(o.Family, o.Kind); found {
		return behaviour{n.Decline, n.Waits, n.Fault, n.Settles}
	}
	if b, found := chosen(o); found {
		return s.unlessRefused(o, b)
	}
	if s.derive("chance", o, 0)%100 < uint64(s.Chance) {
		all := uint64(len(faultsExplained))
		return s.unlessRefused(o, behaviour{fault: faultsExplained[s.derive("fault", o, 0)%all].Fault})
	}
	return behaviour{}
}

// unlessRefused leaves out a fault that keeps a request from being executed, if it did so with the same reference just
// before: else no repeat would ever be executed.
func (s *Simulator) unlessRefused(o Operation, b behaviour) behaviour {
	if b.fault != TooManyRequests && b.fault != LosesRequest {
		return b
	}
	key := referenceOf(o)
	if s.refused[key] {
		delete(s.refused, key)
		return behaviour{}
	}
	if len(s.refused) >= s.Keep {
		clear(s.refused)
	}
	s.refused[key] = true
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
		writeError(w, http.StatusTooManyRequests, "too many requests")
		return
	case ServerError:
		writeError(w, http.StatusInternalServerError, "internal error")
		return
	case FoundLate:
		writeError(w, http.StatusBadGateway, "bad gateway")
		return
	case NoticeFirst:
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
