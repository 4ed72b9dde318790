package payment

import (
	"cmp"
	"slices"
	"time"

	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Disputes are what a provider tells of a payment that its payer disputes.
type Disputes struct{ p *Payment }

// Disputes returns the disputes of the payment.
func (p *Payment) Disputes() Disputes { return Disputes{p} }

// Apply stores a chargeback or reversal of a settled payment, of all that was captured or of a part
// (protocol.md, Events). If the payment is not known to be settled yet, the notice is refused, so that the provider
// sends it again; Hold holds it until then. It changes no payment that was refunded or voided, unless that fails
// later. Of a payment that is charged back, a further dispute with an id of its own is reported, too; the first id is
// that of a dispute that was stored without one. A dispute that is known takes the money again only by a loss after it
// was won. Errors: CodeTooEarly.
func (d Disputes) Apply(result connector.Result, now time.Time) (Effects, error) {
	to := StatusChargeback
	if result.Outcome == connector.OutcomeReversal {
		to = StatusReversal
	}
	if i := d.p.Transactions.dispute(result.OperationID); i >= 0 && to == StatusChargeback {
		return d.goOn(i, result, now)
	}
	if d.p.Transactions.madeElsewhere(EventType(to), result.OperationID) >= 0 {
		return Effects{}, nil
	}
	switch d.p.Status {
	case StatusSettled:
	case StatusPrepare, Status3DS, StatusRedirect, StatusPending:
		return Effects{}, notYet("settled")
	case StatusRefund, StatusVoid:
		known := d.p.Dispute != ""
		d.p.Dispute = cmp.Or(d.p.Dispute, to)
		return Effects{Save: !known}, nil
	case StatusChargeback:
		if result.OperationID == "" || to != StatusChargeback || d.p.Transactions.Full() {
			return Effects{}, nil
		}
		if i := d.p.Transactions.unnamedChargeback(); i >= 0 {
			d.p.Transactions[i].Reference, d.p.Transactions[i].DisputeStage = result.OperationID, stageOf(result)
			return Effects{Save: true}, nil
		}
	default:
		return Effects{}, nil
	}
	return d.takeBack(to, result, now)
}

// HasHeld reports whether ApplyHeld has something to apply.
func (d Disputes) HasHeld() bool {
	return d.p.EarlyDispute != nil && d.p.Status != StatusPending || d.p.Dispute != "" && d.p.Status == StatusSettled
}

// ApplyHeld applies the dispute that came before the capture was known, or that of a payment which was refunded
// or voided when it came, if that has failed since.
func (d Disputes) ApplyHeld(now time.Time) (Effects, error) {
	if !d.HasHeld() {
		return Effects{}, nil
	}
	if early := d.p.EarlyDispute; early != nil {
		d.p.EarlyDispute = nil
		apply := d.Apply
		if early.Stage == connector.StageWon {
			apply = d.win
		}
		e, err := apply(early.result(), now)
		e.Save = true
		return e, err
	}
	to := d.p.Dispute
	d.p.Dispute = ""
	return d.takeBack(to, connector.Result{}, now)
}

// EarlyDispute is a chargeback or reversal of an authorised payment of which nobody has told yet that it was captured:
// a capture of ours is unknown, or the notice of one that was made elsewhere comes late.
type EarlyDispute struct {
	To         Status       `json:"to"` // StatusChargeback or StatusReversal
	ID         string       `json:"id,omitempty"`
	Amount     money.Amount `json:"amount,omitzero"`
	Code       string       `json:"code,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	ReasonCode reason.Code  `json:"reason_code,omitempty"`
	DisputeStage
}

// Hold holds what a provider says of a dispute of an authorised payment, until that is captured or has ended. Of
// one dispute that is the latest stage, and of several the first: their notices are refused, so that they come again.
func (d Disputes) Hold(result connector.Result) Effects {
	stage, known := stageOf(result), d.p.EarlyDispute
	switch {
	case !result.Disputes() && result.Outcome != connector.OutcomeDisputeWon, d.p.Undecided(), d.p.Status != StatusPending:
		return Effects{}
	case known == nil:
	case known.ID != "" && result.OperationID != "" && known.ID != result.OperationID,
		!stage.follows(Transaction{DisputeStage: known.DisputeStage}):
		return Effects{}
	}
	early := &EarlyDispute{
		To: StatusChargeback, ID: result.OperationID, Amount: result.Amount, Code: result.Code, Reason: result.Reason,
		ReasonCode: result.ReasonCode, DisputeStage: stage,
	}
	if result.Outcome == connector.OutcomeReversal {
		early.To = StatusReversal
	}
	if known != nil {
		early.ID, early.Amount = cmp.Or(early.ID, known.ID), cmp.Or(early.Amount, known.Amount)
	}
	if early.Amount.Currency() != d.p.Amount.Currency() { // amounts are stored without their currency
		early.Amount = money.Amount{}
	}
	d.p.EarlyDispute = early
	return Effects{Save: true}
}

// result is what the provider has said.
func (d *EarlyDispute) result() connector.Result {
	r := connector.Result{
		Outcome: connector.OutcomeChargeback, OperationID: d.ID, Amount: d.Amount, Code: d.Code, Reason: d.Reason,
		ReasonCode: d.ReasonCode, Stage: d.Stage, StageAt: d.StageAt,
	}
	switch {
	case d.To == StatusReversal:
		r.Outcome = connector.OutcomeReversal
	case d.Stage == connector.StageWon:
		r.Outcome = connector.OutcomeDisputeWon
	}
	return r
}

// takeBack adds a chargeback or reversal that counts.
func (d Disputes) takeBack(to Status, result connector.Result, now time.Time) (Effects, error) {
	if d.p.Status != to {
		if err := d.p.Move(to, now); err != nil {
			return Effects{}, err
		}
	}
	reason := disputeReason(result)
	dispute := Ended(Success, now, result, reason)
	dispute.Type, dispute.Amount = EventType(to), d.p.Amounts().disputed(result.Amount)
	if to == StatusChargeback {
		dispute.DisputeStage = stageOf(result)
	}
	d.p.Elsewhere().add(dispute, result.OperationID)
	event := &Event{Type: EventType(to), Status: Success, Reason: reason, Amount: dispute.Amount}
	return Effects{Save: true, Measure: true, StopChain: !d.p.Recurring, Event: event}, nil
}

// goOn stores a later stage of the dispute that is the i-th transaction. If that was won, the loss is a
// chargeback of its own, so that everything stays stored that has happened.
func (d Disputes) goOn(i int, result connector.Result, now time.Time) (Effects, error) {
	t, stage := &d.p.Transactions[i], stageOf(result)
	held := d.p.Status == StatusRefund || d.p.Status == StatusVoid
	switch {
	case stage.Stage == connector.StageReceived || !stage.follows(*t):
		return Effects{}, nil
	case t.Status == Success || held:
		if t.Status != Success { // nothing is left to take, unless the refund or void fails later
			d.p.Dispute = cmp.Or(d.p.Dispute, StatusChargeback)
		}
		t.DisputeStage = stage
		return Effects{Save: true}, nil
	case d.p.Status != StatusSettled && d.p.Status != StatusChargeback:
		return Effects{}, nil
	case d.p.Transactions.Full():
		return Effects{}, refuseElsewhere("There are too many transactions.")
	}
	result.Amount, result.OperationID = cmp.Or(result.Amount, t.Amount), cmp.Or(result.OperationID, t.Reference)
	return d.takeBack(StatusChargeback, result, now)
}

// stageOf returns the stage that a result tells of.
func stageOf(result connector.Result) DisputeStage {
	stage := cmp.Or(result.Stage, connector.StageReceived)
	if result.Outcome == connector.OutcomeDisputeWon {
		stage = connector.StageWon
	}
	return DisputeStage{stage, result.StageAt}
}

// follows reports whether a stage is news of a dispute: by the provider's times, or where it has not told two different
// ones, by the order of the stages. So a repeat of an old loss is none, and each stage has its effect once.
func (s DisputeStage) follows(t Transaction) bool {
	if !s.StageAt.IsZero() && !t.StageAt.IsZero() && !s.StageAt.Equal(t.StageAt) {
		return s.StageAt.After(t.StageAt)
	}
	known := cmp.Or(t.Stage, connector.StageReceived)
	if t.Stage == "" && t.Status != Success {
		known = connector.StageWon
	}
	return slices.Index(stages, s.Stage) > slices.Index(stages, known)
}

// stages are all stages of a dispute in their order.
var stages = []connector.Stage{
	connector.StageReceived, connector.StageWon, connector.StageArbitration, connector.StageLost,
}

// win stores that a dispute was won: its chargeback counts no longer, and the payment is what it was before. A
// dispute that is not known yet is stored as won, since its notice may come late.
func (d Disputes) win(result connector.Result, now time.Time) (Effects, error) {
	reason, stage := &reason.Reason{Code: reason.DisputeWon}, stageOf(result)
	i := d.p.Transactions.dispute(result.OperationID)
	known := i >= 0
	if known && !stage.follows(d.p.Transactions[i]) {
		return Effects{}, nil
	}
	if !known || d.p.Transactions[i].Status != Success { // the provider may have reported it without its id
		i = max(i, d.p.Transactions.unnamedChargeback())
	}
	switch {
	case d.p.Undecided() || d.p.Status == StatusPending:
		return Effects{}, notYet("settled")
	case d.p.Captured.IsZero():
		return Effects{}, nil // nobody knows of a dispute
	case i < 0 && d.p.Transactions.Full():
		return Effects{}, refuseElsewhere("There are too many transactions.")
	case i < 0:
		d.p.Dispute = ""
		won := Ended(Fail, now, result, reason)
		won.Type, won.Amount, won.DisputeStage = EventChargeback, d.p.Amounts().disputed(result.Amount), stage
		d.p.Elsewhere().add(won, result.OperationID)
		return Effects{Save: true}, nil
	case d.p.Transactions[i].Status != Success:
		d.p.Dispute, d.p.Transactions[i].DisputeStage = "", stage
		return Effects{Save: true}, nil
	}
	t := &d.p.Transactions[i]
	t.Status, t.SucceededAt, t.Date, t.Reference, t.DisputeStage = Fail, t.Date, now, result.OperationID, stage
	*t = t.because(reason)
	event := &Event{Type: EventChargeback, Status: Fail, Reason: reason, Amount: t.Amount}
	e := Effects{Save: true, Measure: true, Event: event}
	if d.p.Status != StatusChargeback || d.p.Transactions.Count(EventChargeback, Success) > 0 {
		return e, nil
	}
	to := StatusSettled
	if left, err := d.p.Amounts().notRefunded(); err == nil && left.IsZero() {
		to = StatusRefund
	}
	return e, d.p.Move(to, now)
}

// notYet refuses a notice of what follows a status that the payment is not known to have. It is looked up, and the
// provider sends the notice again.
func notYet(status string) error {
	return fault.Refuse(fault.CodeTooEarly, "The payment is not "+status+" yet.")
}
