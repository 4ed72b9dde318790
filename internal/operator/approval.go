package operator

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// Approval is an act of a person that returns more than the limits of their roles allow. It is done once another person
// approves it, who never is the one that asks.
type Approval struct {
	ID string `json:"id"`
	fault.Owner
	PaymentID string `json:"payment_id"`
	Order     string `json:"order"`
	Do        string `json:"do"` // refund, void or give-back
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Why       string `json:"why"` // the limit that it exceeds
	// Who asks: by the name as it stays, by the one that people know, and why.
	Who    string    `json:"who"`
	By     string    `json:"by"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	Until  time.Time `json:"until"` // from then on nobody can approve it

	Decided
	Reference string `json:"reference,omitempty"` // of the request that it is about, or that was made
	Of        string `json:"of,omitempty"`        // the amount as it was asked for
	// StopSchedule is of a refund that stops the schedule of the payment's chain in the same write.
	StopSchedule bool `json:"stop_schedule,omitempty"`

	version int64
}

// Decided is what was decided of an approval, by whom and why.
type Decided struct {
	State   ApprovalState `json:"state"`
	By      string        `json:"decided_by,omitempty"`
	At      time.Time     `json:"decided_at,omitzero"`
	Because string        `json:"decided_because,omitempty"`
}

// ApprovalState is where an approval stands.
type ApprovalState string

// The states of an approval. One that nobody decides in time ends by itself.
const (
	ApprovalWaiting  ApprovalState = "waiting"
	ApprovalApproved ApprovalState = "approved"
	ApprovalRejected ApprovalState = "rejected"
	ApprovalExpired  ApprovalState = "expired"
)

const (
	approvalTime = 7 * 24 * time.Hour
	approvalTTL  = 90 * 24 * time.Hour
	// forApproval is the kind of what is awaited of an act that waits for another person.
	forApproval payment.JobKind = "approval"
)

// Complete implements store.Shortened.
func (a *Approval) Complete(r store.Record) error {
	a.version = r.Version
	return nil
}

func (a *Approval) record() store.Record {
	r := store.Encode(store.ApprovalKey(a.ID), a.version, a)
	r.ExpiresAt = a.At.Add(approvalTTL)
	return r
}

// stateAt is the state at a time.
func (a *Approval) stateAt(now time.Time) ApprovalState {
	if a.State == ApprovalWaiting && !now.Before(a.Until) {
		return ApprovalExpired
	}
	return a.State
}

// asking is an act that a person may not do alone.
type asking struct {
	act       audit.Act
	by        grant.Person
	payment   *payment.Payment
	do, of    string
	reference string
	over      *overLimit
	idem      *checkout.IdempotencyRecord

	stopSchedule bool
}

// askAnother stores what waits for the approval of another person.
func (s *Actor) askAnother(ctx context.Context, of asking) (checkout.Awaited, error) {
	now, p := s.core.Now(), of.payment
	a := &Approval{
		ID: store.NewApprovalID(now, s.core.Random(8)), Owner: p.Owner, PaymentID: p.ID, Order: p.Order.Number,
		Do: of.do, Amount: of.over.amount.String(), Currency: of.over.amount.Currency().Code, Why: of.over.why,
		Who: grant.StableName(of.by.Who), By: of.act.By,
		Reason: p.Masker().Mask(p.Masker().Secrets(connector.Charge{}).Mask(of.act.Reason)),
		At:     now.UTC(), Until: now.Add(approvalTime).UTC(), Decided: Decided{State: ApprovalWaiting},
		Reference: of.reference, Of: of.of, StopSchedule: of.stopSchedule,
	}
	awaited := checkout.Awaited{PaymentID: p.ID, Reference: a.ID, Kind: forApproval}
	text := fmt.Sprintf("%s of %s waits for the approval of another person, as %s", a.Do, amountOf(of.over.amount), a.ID)
	act := of.act
	act.Reason = a.Reason
	records := of.idem.With(&awaited, nil, a.record())
	err := s.core.Store.Save(ctx, now, append(records, act.Records(now, "payment/"+p.ID, text)...)...)
	if err != nil {
		return awaited, fmt.Errorf("store what waits for an approval: %w", err)
	}
	return awaited, nil
}

// approvalDone says where an act stands that another person has to approve.
func approvalDone(ctx context.Context, core *checkout.Core, of checkout.Awaited) (Done, error) {
	a, err := readApproval(ctx, core, of.Reference)
	if err != nil {
		return Done{}, err
	}
	p, err := core.Payment(ctx, core.Now(), a.PaymentID)
	if err != nil {
		return Done{}, err
	}
	d := Done{PaymentID: a.PaymentID, Amount: a.Amount, Approval: a.ID}
	if p != nil {
		d.Status = p.Status
	}
	switch a.stateAt(core.Now()) {
	case ApprovalWaiting:
		d.Text = fmt.Sprintf("%s Another person has to approve the %s of %s %s, until %s.", a.Why, a.Do, a.Amount,
			a.Currency, a.Until.Format("2 January 15:04 UTC"))
	case ApprovalApproved:
		d.Text, d.Reference = a.Decided.By+" has approved it.", a.Reference
	case ApprovalRejected:
		d.Text, d.Decided = a.Decided.By+" has rejected it: "+a.Because, true
	case ApprovalExpired:
		d.Text, d.Decided = "Nobody has approved it in time. Nothing was done.", true
	}
	return d, nil
}

// ErrNoApproval is the error for an approval that there is not, or that is unknown to the person.
func ErrNoApproval() error { return fault.Refuse(fault.CodeNotFound, "There is no such approval.") }

func readApproval(ctx context.Context, core *checkout.Core, id string) (*Approval, error) {
	unknown := ErrNoApproval()
	key := store.ApprovalKey(id)
	if store.CheckKey(key) != nil {
		return nil, unknown
	}
	a := &Approval{}
	found, err := core.Load(ctx, core.Now(), key, a)
	if err != nil {
		return nil, fmt.Errorf("read an approval: %w", err)
	}
	if !found {
		return nil, unknown
	}
	return a, nil
}

// decide changes an approval that waits. Errors: CodeNotAllowed for one that does not; CodeDenied for whoever asks, if
// the decision is an approval.
func (a *Approval) decide(to ApprovalState, by grant.Person, act audit.Act, now time.Time) error {
	switch state := a.stateAt(now); {
	case state != ApprovalWaiting && a.Decided.By != "":
		return fault.Refuse(fault.CodeNotAllowed, a.Decided.By+" has "+string(state)+" it before.")
	case state != ApprovalWaiting:
		return fault.Refuse(fault.CodeNotAllowed, "Nobody has approved it in time. Ask for it again.")
	case to == ApprovalApproved && by.IsSame(a.Who, a.By):
		return fault.Refuse(fault.CodeDenied, "You ask for it: another person has to approve it.")
	}
	a.Decided = Decided{to, act.By, now.UTC(), act.Reason}
	return nil
}
