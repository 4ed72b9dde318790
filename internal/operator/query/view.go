package query

import (
	"context"
	"slices"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/words"
	"checkout/internal/routing/circuit"
)

// View is all about a payment on one screen. It has no secret, no card number, no token, of the payer's data only what
// a list shows, and of the session's id only the part that does not open it.
type View struct {
	Row       Row            `json:"row"`
	Summary   words.Summary  `json:"summary"`
	Amounts   []words.Amount `json:"amounts"`         // that the texts name
	Money     *words.Money   `json:"money,omitempty"` // absent of a session that nobody has tried to pay
	Facts     []words.Fact   `json:"facts"`
	Timeline  []words.Event  `json:"timeline"`
	Callbacks []Delivery     `json:"callbacks"`
	Possible  []Possible     `json:"possible"`

	Chain *chains.ChainItem `json:"chain,omitempty"` // that the payment has begun or belongs to
}

// View returns all about a payment, or about the session if it has no such payment yet. It reads the payments,
// sessions, callbacks and chain of the order in one strongly consistent listing. Errors: CodeNotFound, also for a
// payment that the person may not see.
func (s *Reader) View(ctx context.Context, by grant.Person, paymentID string) (View, error) {
	now := s.core.Now()
	records, err := words.ListOrder(ctx, s.core.Store, now, paymentID)
	if err != nil {
		return View{}, err
	}
	h, o, err := words.HistoryOf(records, paymentID)
	if err != nil {
		return View{}, err
	}
	p := o.Payment(paymentID)
	v := View{Facts: h.Facts, Amounts: o.Amounts(), Money: words.MoneyOf(p)}
	rows, err := listing.RowsOf(records, now)
	if err != nil {
		return View{}, err
	}
	for _, row := range rows {
		if row.PaymentID == paymentID {
			v.Row, _ = rowFor(by, grant.Find, row, now)
		}
	}
	if v.Row.ID == "" {
		return View{}, payment.ErrNotFound()
	}
	v.Timeline = withoutNotes(h.Events, by.Level(grant.Find, ownerOf(v.Row.Owner)))
	sess := o.Session(p, paymentID)
	if v.Callbacks, err = s.deliveries(ctx, by, o, paymentID); err != nil {
		return View{}, err
	}
	v.Summary = words.Standing{
		State: v.Row.State, ID: paymentID, OpenUntil: v.Row.OpenUntil, Payment: p, Order: o,
		Circuit: s.circuitOf(ctx, p, now),
	}.Summary(now)
	if by.Level(grant.Find, ownerOf(v.Row.Owner)) < grant.Full {
		v.hideSaid()
	}
	if v.Possible = []Possible{}; p != nil {
		v.Possible = s.possible(by, p, sess, now)
		err = s.addChain(ctx, by, &v, p)
	}
	v.Possible = append(v.Possible, possibleEnd(by, sess, now)...)
	return v, err
}

// addChain adds the recurring chain of a payment: what its schedule charges next, so that nothing is called over while
// something is due, and whether a declined charge of it can be made again.
func (s *Reader) addChain(ctx context.Context, by grant.Person, v *View, p *payment.Payment) error {
	of, err := chains.OfPayment(ctx, s.core, by, p)
	if err != nil || of == nil {
		return err
	}
	v.Chain = &of.ChainItem
	if of.Amount != "" { // of another order, if the payment is a later charge
		v.Amounts = append(v.Amounts, words.Amount{Amount: of.Amount, Currency: of.Currency})
	}
	if r := of.Retry; r != nil {
		v.Possible = append(v.Possible, Possible{
			Act: words.ActRetry, Label: words.Acts[words.ActRetry].Label, Allowed: r.Why == "", Why: r.Why, Amount: r.Amount,
		})
	}
	next := of.NextCharge()
	if v.Summary.Turn == words.TurnNobody && next != "" {
		v.Summary.Turn, v.Summary.Next, v.Summary.At = words.TurnService, of.ChargesAgain(), of.NextAt
	} else if next != "" {
		v.Summary.Means += " " + next
	}
	if p.Status == payment.StatusRefund && next != "" {
		v.Summary.Tell += " " + next
	}
	return nil
}

// hideSaid leaves out what programs said, which may name addresses, for people who do not look after the service.
func (v *View) hideSaid() {
	for i := range v.Timeline {
		v.Timeline[i].Said = ""
	}
}

// circuitOf returns the circuit breaker of the MID that requests of a payment wait for, nil if it is closed or none
// waits.
func (s *Reader) circuitOf(ctx context.Context, p *payment.Payment, now time.Time) *circuit.View {
	if p == nil || !p.Jobs.InProgress() {
		return nil
	}
	mid := circuit.MID{Owner: p.Owner.Text(), Mapping: p.Mapping, Name: p.MID, Connector: p.Connector}
	return s.core.Circuits().View(ctx, now, mid)
}

// withoutNotes returns a timeline for those who see no names and addresses of payers: people write them into notes.
func withoutNotes(events []words.Event, level grant.Level) []words.Event {
	if level == grant.Full {
		return events
	}
	events = slices.Clone(events)
	for i := range events {
		if events[i].Kind == words.KindNote {
			events[i].Text = "Your role does not show notes."
		}
	}
	return events
}
