package operator

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

// ApprovalOwner returns whose payment an approval is about. Errors: CodeNotFound.
func (s *People) ApprovalOwner(ctx context.Context, id string) (fault.Owner, error) {
	a, err := readApproval(ctx, s.core, id)
	if err != nil {
		return fault.Owner{}, err
	}
	return a.Owner, nil
}

// Approve does what another person may not do alone. Of several people who approve it at once one does: the approval is
// stored in the same write as what is done. Errors: those of the act; CodeNotAllowed if it does not wait any more;
// CodeDenied for whoever asks.
func (s *Actor) Approve(ctx context.Context, by grant.Person, id string) (Done, error) {
	a, err := readApproval(ctx, s.core, id)
	if err != nil {
		return Done{}, err
	}
	return once(ctx, s.core, s.act, call[Done]{
		name: "approve", args: []string{id}, await: s.awaitApproved,
		do: func(idem *checkout.IdempotencyRecord) (Done, error) {
			if err := a.decide(ApprovalApproved, by, s.act, s.core.Now()); err != nil {
				return Done{}, err
			}
			allow := func(r returning, now time.Time) ([]store.Record, error) {
				return s.approval(ctx, approving{by, id}, r, now)
			}
			awaited, err := s.approved(ctx, a, started{s.act, idem, allow})
			if err != nil {
				return Done{}, err
			}
			return s.awaitApproved(ctx, awaited)
		},
	})
}

// approving is a person and the approval that they decide.
type approving struct {
	by grant.Person
	id string
}

// approval returns an approval that is approved now by another person than asks, for what it was asked for.
func (s *Actor) approval(ctx context.Context, of approving, r returning, now time.Time) ([]store.Record, error) {
	a, err := readApproval(ctx, s.core, of.id)
	if err != nil {
		return nil, err
	}
	if r.Amount.String() != a.Amount || r.Amount.Currency().Code != a.Currency {
		return nil, fault.Refuse(fault.CodeNotAllowed, "It would return "+amountOf(r.Amount)+" by now: ask for it again.")
	}
	if err := a.decide(ApprovalApproved, of.by, s.act, now); err != nil {
		return nil, err
	}
	a.Reference = r.reference
	return []store.Record{a.record()}, nil
}

// approved starts what was asked for, in the name of both people.
func (s *Actor) approved(ctx context.Context, a *Approval, by started) (checkout.Awaited, error) {
	by.act.By = fault.Printable(a.By+", approved by "+by.act.By, maxDecision)
	p, err := s.core.Payment(ctx, s.core.Now(), a.PaymentID)
	if err != nil {
		return checkout.Awaited{}, err
	}
	if p == nil {
		return checkout.Awaited{}, payment.ErrNotFound()
	}
	if a.Do == string(payment.VerdictGiveBack) {
		return s.startSettlement(ctx, Settlement{
			PaymentID: p.ID, Reference: a.Reference, Verdict: payment.VerdictGiveBack, Amount: a.Of,
			By: by.act.By, Reason: by.act.Reason,
		}, by)
	}
	f := FollowUp{PaymentID: p.ID, Kind: payment.JobKind(a.Do), StopSchedule: a.StopSchedule}
	if f.Kind == payment.JobRefund {
		f.Amount = a.Amount
	}
	return s.startFollowUp(ctx, p, f, by)
}

// awaitApproved waits for the outcome of what was approved.
func (s *Actor) awaitApproved(ctx context.Context, a checkout.Awaited) (Done, error) {
	if a.Kind == payment.JobRefund || a.Kind == payment.JobVoid {
		return s.awaitFollowUp(ctx, a)
	}
	return s.awaitExecuted(ctx, a)
}

// Reject ends an approval that waits: nothing is done. Whoever asks may take it back so.
// Errors: CodeNotAllowed if it does not wait any more.
func (s *Actor) Reject(ctx context.Context, by grant.Person, id string) (Done, error) {
	await := func(ctx context.Context, a checkout.Awaited) (Done, error) { return approvalDone(ctx, s.core, a) }
	return once(ctx, s.core, s.act, call[Done]{
		name: "reject", args: []string{id}, await: await,
		do: func(idem *checkout.IdempotencyRecord) (Done, error) {
			awaited := checkout.Awaited{Reference: id, Kind: forApproval}
			update := store.Update{Doing: "store an approval", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			err := update.Do(ctx, func(now time.Time) ([]store.Record, error) {
				a, err := readApproval(ctx, s.core, id)
				if err == nil {
					err = a.decide(ApprovalRejected, by, s.act, now)
				}
				if err != nil {
					return nil, err
				}
				awaited.PaymentID = a.PaymentID
				text := fmt.Sprintf("%s of %s %s is rejected, as %s", a.Do, a.Amount, a.Currency, a.ID)
				return append(idem.With(&awaited, nil, a.record()), s.act.Records(now, "payment/"+a.PaymentID, text)...), nil
			})
			if err != nil {
				return Done{}, err
			}
			return approvalDone(ctx, s.core, awaited)
		},
	})
}

// ApprovalPage is a part of the list of approvals, the latest first.
type ApprovalPage struct {
	Approvals []Approval `json:"approvals"`
	Cursor    string     `json:"cursor,omitempty"` // of the next page; "": there is none
}

// approvalsPage is how many approvals are read at once.
const approvalsPage = 100

// Approvals lists what waits for the approval of another person and what was decided, of payments that a person may
// see. A page may have fewer than others, or none.
func (s *People) Approvals(ctx context.Context, by grant.Person, cursor string) (ApprovalPage, error) {
	page, now := ApprovalPage{Approvals: []Approval{}}, s.core.Now()
	if cursor != "" && store.CheckKey(store.ApprovalKey(cursor)) != nil {
		return page, fault.Refuse(fault.CodeInvalid, "No page ends there.")
	}
	records, err := s.core.Store.List(ctx, now, store.ApprovalsBefore(cursor, approvalsPage))
	if err != nil {
		return page, fmt.Errorf("list approvals: %w", err)
	}
	for _, r := range records {
		var a Approval
		if err := r.Decode(&a); err != nil {
			return page, err
		}
		if by.Level(grant.Find, a.Owner) > grant.None {
			a.State = a.stateAt(now)
			page.Approvals = append(page.Approvals, a)
		}
	}
	if len(records) == approvalsPage {
		page.Cursor = records[len(records)-1].Key.Sort
	}
	return page, nil
}
