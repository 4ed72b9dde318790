package simulator

import (
	"errors"
	"maps"
	"slices"
)

// Choice is what a payer does, or what happens to an operation.
type Choice string

// The choices.
const (
	Approve  Choice = "approve"
	Decline  Choice = "decline"
	Expire   Choice = "expire"
	Half     Choice = "half"   // of the amount arrives
	Rest     Choice = "rest"   // what is missing arrives, in time or too late
	Whole    Choice = "whole"  // the amount arrives, beside what has arrived before, in time or too late
	Double   Choice = "double" // twice the amount arrives
	Late     Choice = "late"   // the time runs out, and then the amount arrives
	Dispute  Choice = "dispute"
	Part     Choice = "dispute_half"
	Win      Choice = "win"               // the dispute
	Lose     Choice = "lose"              // the dispute, for good, also after it was won
	Lapse    Choice = "lapse"             // of an authorisation
	Fail     Choice = "fail"              // after it was approved
	AfterAll Choice = "approve_after_all" // what was declined
)

// action is a choice where it is possible.
type action struct {
	Choice   Choice
	Label    string // of its button
	possible func(Operation) bool
	happen   func(*Simulator, *Operation)
}

// end ends an operation that waits for its payer and of which nothing has arrived. Any other stays as it is. It returns
// the operation.
func (s *Simulator) end(id string) Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.byID[id]
	if o == nil {
		return Operation{}
	}
	if o.State == Waiting && o.Step != NoStep && o.Moved.IsZero() {
		o.State, o.Reason = Declined, "payer_refused"
		s.scheduleNotice(o)
	}
	return *o
}

func waits(o Operation) bool { return o.State == Waiting }

func awaitsMoney(o Operation) bool { return o.State == Waiting && o.Step == StepSend }

func takesMoney(o Operation) bool {
	return o.Step == StepSend && !o.Amount.IsZero() && (o.State == Waiting || o.State == Expired)
}

func hasSentNothing(o Operation) bool { return awaitsMoney(o) && takesMoney(o) && o.Moved.IsZero() }

// disputeWon is the reason of a charge that is approved again.
const disputeWon = "dispute_won"

// disputeLost is among the values of a charge whose dispute was lost for good.
const disputeLost = "dispute_lost"

func isLost(o Operation) bool { return o.Values[disputeLost] != "" }

// isStripe reports whether an operation is a charge of the one provider that tells of parts and ends of disputes.
func isStripe(o Operation) bool { return o.Family == "stripe" && o.Kind == Charge }

// actions returns all choices, in the order of their buttons.
func actions() []action {
	return []action{
		{Approve, "Confirm", func(o Operation) bool { return waits(o) && (o.Step != StepSend || takesMoney(o)) },
			func(s *Simulator, o *Operation) { s.approve(o) }},
		{Half, "Send half of it", hasSentNothing, func(_ *Simulator, o *Operation) { o.Moved = half(o.Amount) }},
		{Rest, "Send the rest", func(o Operation) bool { return takesMoney(o) && o.Moved.Cmp(o.Amount) < 0 },
			func(_ *Simulator, o *Operation) { o.arrive(Rest) }},
		{Whole, "Send all again", takesMoney, func(_ *Simulator, o *Operation) { o.arrive(Whole) }},
		{Double, "Send twice the amount", hasSentNothing,
			func(_ *Simulator, o *Operation) {
				o.arrive(Whole)
				o.arrive(Whole)
			}},
		{Decline, "Refuse", waits, func(_ *Simulator, o *Operation) { o.State, o.Reason = Declined, "payer_refused" }},
		{Expire, "Let the time run out", waits,
			func(_ *Simulator, o *Operation) { o.State, o.Reason = Expired, "payer_too_slow" }},
		{Late, "Send it too late", hasSentNothing,
			func(_ *Simulator, o *Operation) {
				o.State, o.Reason = Expired, "payer_too_slow"
				o.arrive(Whole)
			}},
		{Dispute, "Charge it back", func(o Operation) bool { return o.State == Approved && o.Kind == Charge },
			func(_ *Simulator, o *Operation) { o.State, o.Reason = Reversed, "chargeback" }},
		{Part, "Charge half of it back", func(o Operation) bool { return isStripe(o) && o.State == Approved },
			func(s *Simulator, o *Operation) {
				left, _ := o.Moved.Sub(s.refunded(o, nil))
				o.State, o.Reason, o.Disputed = Reversed, "chargeback", half(left)
			}},
		{Win, "Win the dispute",
			func(o Operation) bool { return isStripe(o) && o.State == Reversed && o.Reason == "chargeback" },
			func(_ *Simulator, o *Operation) { o.State, o.Reason = Approved, disputeWon }},
		{Lose, "Lose the dispute for good",
			func(o Operation) bool { return isStripe(o) && isDispute(o) && o.Reason != "failed_later" && !isLost(o) },
			func(_ *Simulator, o *Operation) {
				o.State, o.Reason, o.Values = Reversed, "chargeback", maps.Clone(o.Values)
				o.Values[disputeLost] = "yes"
			}},
		{Lapse, "Let the authorisation expire", func(o Operation) bool { return isStripe(o) && o.State == Authorised },
			func(_ *Simulator, o *Operation) { o.State, o.Reason, o.Moved = Reversed, "voided", zero(o.Amount) }},
		{AfterAll, "Approve it after all",
			func(o Operation) bool {
				return (isStripe(o) || o.Family == "adapter" && o.Kind == Charge) && o.State == Declined
			},
			func(s *Simulator, o *Operation) { s.approve(o) }},
		{Fail, "Let it fail now",
			func(o Operation) bool {
				return o.State == Approved && slices.Contains([]Kind{Charge, Payout, Refund}, o.Kind)
			},
			func(_ *Simulator, o *Operation) { o.State, o.Reason = Reversed, "failed_later" }},
	}
}

// The errors of an act.
var (
	errNoOperation = errors.New("there is no operation with this id: it may have been forgotten or reset")
	errNotPossible = errors.New("this choice is not possible in the operation's state")
)

// Act lets a payer act on an operation by its id, and sends a notice about what has changed. It returns the operation
// as it is then, unchanged if the choice is not possible, and whether there is one.
func (s *Simulator) Act(id string, c Choice) (Operation, bool) {
	o, err := s.act(id, c)
	return o, !errors.Is(err, errNoOperation)
}

func (s *Simulator) act(id string, c Choice) (Operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.byID[id]
	if o == nil {
		return Operation{}, errNoOperation
	}
	all := actions()
	i := slices.IndexFunc(all, func(a action) bool { return a.Choice == c && a.possible(*o) })
	if i < 0 {
		return *o, errNotPossible
	}
	all[i].happen(s, o)
	o.ChangedAt = s.Now()
	s.scheduleNotice(o)
	s.failLater(o)
	return *o, nil
}

// arrive adds the rest of the amount, or the whole amount once more, to what has arrived. An operation whose time is
// not over is approved by it.
func (o *Operation) arrive(c Choice) {
	if c == Rest {
		o.Moved = zero(o.Amount)
	}
	if sum, err := o.Moved.Add(o.Amount); err == nil {
		o.Moved = sum
	}
	if o.State == Waiting {
		o.State = Approved
	}
}

// isDispute reports whether a charge is, or was, disputed.
func isDispute(o Operation) bool {
	return o.Kind == Charge && (o.State == Reversed && o.Reason != "voided" || o.Reason == disputeWon)
}
