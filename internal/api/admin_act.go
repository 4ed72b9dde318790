package api

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/forget"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/store"
)

// adminActs handles the requests of operators that change something.
type adminActs struct {
	admission
	actor  *operator.Actor
	trials *merchant.Trials
}

// AdminAct returns the routes of what operators do, as AdminRead does.
func AdminAct(
	people *operator.People, reader *query.Reader, actor *operator.Actor, trials *merchant.Trials,
) Routes {
	a := adminActs{admission{people, reader}, actor, trials}
	may := a.admission
	return Routes{
		// To read in bulk is an act, which the audit log has with its filters and how much was read.
		{"GET", "/admin/v1/export", read{may, grant.Sums, filters + " zone cursor format", a.export}},
		{"POST", "/admin/v1/payments/{id}/refund", act[refundBody]{may, grant.Money, a.refund}},
		{"POST", "/admin/v1/payments/{id}/capture", act[amountBody]{may, grant.Money, a.capture}},
		{"POST", "/admin/v1/payments/{id}/void", act[because]{may, grant.Money, a.void}},
		{"POST", "/admin/v1/payments/{id}/retry", act[because]{may, grant.Money, a.retry}},
		{"POST", "/admin/v1/chains/{id}/stop", act[because]{may, grant.Money, a.stopChain}},
		{"POST", "/admin/v1/chains/{id}/resume", act[because]{may, grant.Money, a.resumeChain}},
		{"POST", "/admin/v1/chains/{id}/move", act[dayBody]{may, grant.Money, a.moveChain}},
		{"POST", "/admin/v1/chains/{id}/lower", act[lowerBody]{may, grant.Money, a.lowerChain}},
		{"POST", "/admin/v1/payments/{id}/look-up", act[lookUpBody]{may, grant.LookUp, a.lookUp}},
		{"POST", "/admin/v1/payments/{id}/settle", act[settleBody]{may, grant.Settle, a.settle}},
		{"POST", "/admin/v1/payments/{id}/note", act[noteBody]{may, grant.Notes, a.note}},
		{"POST", "/admin/v1/payments/{id}/end-session", act[because]{may, grant.EndSession, a.endCheckout}},
		{"POST", "/admin/v1/payments/{id}/callbacks/{seq}/send", act[because]{may, grant.Callbacks, a.sendOne}},
		{"POST", "/admin/v1/callbacks/send", act[sendBody]{may, grant.Callbacks, a.sendMany}},
		{"POST", "/admin/v1/addresses/open", act[addressBody]{may, grant.Callbacks, a.closeAddress}},
		{"POST", "/admin/v1/circuits/close", act[circuitBody]{may, grant.Circuits, a.closeCircuit}},
		{"POST", "/admin/v1/try", act[tryBody]{may, grant.Settings, a.try}},
		{"POST", "/admin/v1/approvals/{approval}/approve", act[because]{may, grant.Money, a.approve}},
		{"POST", "/admin/v1/approvals/{approval}/reject", act[because]{may, grant.Money, a.reject}},
		{"POST", "/admin/v1/operators/limit", act[limitBody]{may, grant.Operators, a.limit}},
		{"POST", "/admin/v1/operators/grant", act[grantBody]{may, grant.Operators, a.grant}},
		{"POST", "/admin/v1/operators/revoke", act[revokeBody]{may, grant.Operators, a.revoke}},
		{"POST", "/admin/v1/forget", act[forgetBody]{may, grant.Operators, a.forget}},
		{"POST", "/admin/v1/sessions/end", act[sessionBody]{may, grant.Operators, a.endSession}},
	}
}

// refundBody is that of a refund, which may stop the schedule of the payment's chain.
type refundBody struct {
	amountBody
	StopSchedule bool `json:"stop_schedule,omitempty"`
}

// amountBody is that of a capture. Without an amount it is for all that is left.
type amountBody struct {
	Amount string `json:"amount,omitempty"`
	because
}

func (a adminActs) refund(c *adminCall, body refundBody) (any, error) {
	return a.followUp(c, payment.JobRefund, body)
}

func (a adminActs) capture(c *adminCall, body amountBody) (any, error) {
	return a.followUp(c, payment.JobCapture, refundBody{amountBody: body})
}

// void cancels all of a payment: no amount is a member of its body.
func (a adminActs) void(c *adminCall, _ because) (any, error) {
	return a.followUp(c, payment.JobVoid, refundBody{})
}

func (a adminActs) followUp(c *adminCall, kind payment.JobKind, body refundBody) (any, error) {
	return a.actor.By(c.act).FollowUp(c.Context(), operator.FollowUp{
		PaymentID: c.PathValue("id"), Kind: kind, Amount: body.Amount, IdempotencyKey: c.key,
		By: c.by, StopSchedule: body.StopSchedule,
	})
}

func (a adminActs) approve(c *adminCall, _ because) (any, error) {
	return a.decide(c, a.actor.By(c.act).Approve)
}

func (a adminActs) reject(c *adminCall, _ because) (any, error) {
	return a.decide(c, a.actor.By(c.act).Reject)
}

// decide decides an approval of a payment that the person may act on.
func (a adminActs) decide(
	c *adminCall, do func(ctx context.Context, by grant.Person, id string) (operator.Done, error),
) (any, error) {
	id := c.PathValue("approval")
	owner, err := a.actor.ApprovalOwner(c.Context(), id)
	if err != nil {
		return nil, err
	}
	c.owner = owner
	if err := c.may(grant.Money, operator.ErrNoApproval()); err != nil {
		return nil, err
	}
	return do(c.Context(), c.by, id)
}

func (a adminActs) changeChain(c *adminCall, ch operator.ChainChange) (any, error) {
	ch.ID = c.PathValue("id")
	return a.actor.By(c.act).ChangeChain(c.Context(), ch)
}

func (a adminActs) stopChain(c *adminCall, _ because) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainStopped})
}

func (a adminActs) resumeChain(c *adminCall, _ because) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainResumed})
}

// dayBody is that of a moved charge.
type dayBody struct {
	Day string `json:"day"` // such as 2026-11-23
	because
}

func (a adminActs) moveChain(c *adminCall, body dayBody) (any, error) {
	day, err := time.Parse(time.DateOnly, body.Day)
	if err != nil {
		return nil, fault.At("day", "It should be a day such as 2026-11-23.")
	}
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainMoved, Day: day})
}

// lowerBody is that of charges that take less.
type lowerBody struct {
	Amount string `json:"amount"`
	because
}

func (a adminActs) lowerChain(c *adminCall, body lowerBody) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainLowered, Amount: body.Amount})
}

// retry charges again for a declined later payment.
func (a adminActs) retry(c *adminCall, _ because) (any, error) {
	return a.actor.By(c.act).Retry(c.Context(), c.PathValue("id"))
}

type lookUpBody struct {
	Reference string `json:"reference,omitempty"`
	because
}

func (a adminActs) lookUp(c *adminCall, body lookUpBody) (any, error) {
	return a.actor.By(c.act).LookUp(c.Context(), c.PathValue("id"), body.Reference)
}

type settleBody struct {
	Reference string          `json:"reference,omitempty"`
	Verdict   payment.Verdict `json:"verdict"`
	Amount    string          `json:"amount,omitempty"`
	Transfer  string          `json:"transfer,omitempty"`
	because
}

func (a adminActs) settle(c *adminCall, body settleBody) (any, error) {
	return a.actor.By(c.act).Settle(c.Context(), operator.Settlement{
		PaymentID: c.PathValue("id"), Reference: body.Reference, Verdict: body.Verdict, Amount: body.Amount,
		Transfer: body.Transfer, By: c.act.By, Reason: c.act.Reason, Person: c.by,
	})
}

// noteBody is a note. It says by itself why it was written.
type noteBody struct {
	Text string `json:"text"`
}

func (noteBody) why() string { return "A note." }

func (a adminActs) note(c *adminCall, body noteBody) (any, error) {
	return a.actor.By(c.act).AddNote(c.Context(), c.PathValue("id"), body.Text)
}

func (a adminActs) endCheckout(c *adminCall, _ because) (any, error) {
	return a.actor.By(c.act).EndSession(c.Context(), c.PathValue("id"))
}

func (a adminActs) sendOne(c *adminCall, _ because) (any, error) {
	seq, err := strconv.Atoi(c.PathValue("seq"))
	if err != nil || seq < 1 {
		return nil, fault.Refuse(fault.CodeNotFound, "Callback not found")
	}
	return a.actor.By(c.act).SendAgain(c.Context(), c.PathValue("id"), seq)
}

type sendBody struct {
	URL       string `json:"url,omitempty"`
	From      string `json:"from,omitempty"`
	Until     string `json:"until,omitempty"`
	Zone      string `json:"zone,omitempty"`
	Merchant  string `json:"merchant,omitempty"`
	Mode      string `json:"mode,omitempty"`
	Callbacks string `json:"callbacks,omitempty"`
	Expected  int    `json:"expected"`
	Cursor    string `json:"cursor,omitempty"`
	because
}

func (a adminActs) sendMany(c *adminCall, body sendBody) (any, error) {
	q, err := readQuery(url.Values{
		"url": {body.URL}, "from": {body.From}, "until": {body.Until}, "merchant": {body.Merchant}, "mode": {body.Mode},
		"callbacks": {body.Callbacks}, "cursor": {body.Cursor}, "zone": {body.Zone},
	}, strings.Fields(callbackFilters))
	if err != nil {
		return nil, err
	}
	return a.actor.By(c.act).SendMany(c.Context(), c.by, operator.BulkSend{
		Filter: q.Filter, URL: q.url, Expected: body.Expected,
	})
}

type addressBody struct {
	of
	URL string `json:"url"`
	because
}

func (a adminActs) closeAddress(c *adminCall, body addressBody) (any, error) {
	return struct{}{}, a.actor.By(c.act).CloseAddress(c.Context(), c.owner, body.URL)
}

type circuitBody struct {
	of
	Mapping string `json:"mapping"`
	MID     string `json:"mid"`
	because
}

func (a adminActs) closeCircuit(c *adminCall, body circuitBody) (any, error) {
	closed, err := a.actor.By(c.act).CloseCircuit(c.Context(), c.owner, body.Mapping, body.MID)
	return struct {
		Closed bool `json:"closed"`
	}{closed}, err
}

type tryBody struct {
	Merchant  string `json:"merchant"`
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Country   string `json:"country,omitempty"`
	ReturnURL string `json:"return_url"`
	because
}

func (b tryBody) owner() (fault.Owner, error) {
	return fault.Owner{Merchant: b.Merchant, Test: true}, nil
}

func (a adminActs) try(c *adminCall, body tryBody) (any, error) {
	t := merchant.Trial{
		Owner: c.owner, Amount: body.Amount, Currency: body.Currency, Country: body.Country, ReturnURL: body.ReturnURL,
	}
	started := func(paymentID string) []store.Record {
		return c.act.Records(c.api.Core.Now(), "payment/"+paymentID, "session of "+t.Amount+" "+t.Currency+" is started")
	}
	return a.actor.By(c.act).Once(c.Context(), "try", t, func(idem *checkout.IdempotencyRecord) (any, error) {
		return a.trials.Start(c.Context(), t, idem, started)
	})
}

type grantBody struct {
	Who       string     `json:"who"`
	Role      grant.Role `json:"role"`
	Merchants []string   `json:"merchants"`
	Mode      grant.Mode `json:"mode"`
	because
}

func (a adminActs) grant(c *adminCall, body grantBody) (any, error) {
	g := grant.Grant{Who: body.Who, Role: body.Role, Merchants: body.Merchants, Mode: body.Mode}
	if err := a.people.Grant(c.Context(), c.by, c.act, g); err != nil {
		return nil, err
	}
	return a.operators(c)
}

// limitBody is a limit. Without amounts it is taken away.
type limitBody struct {
	Role     grant.Role `json:"role"`
	Currency string     `json:"currency"`
	One      string     `json:"one,omitempty"`
	Day      string     `json:"day,omitempty"`
	because
}

func (a adminActs) limit(c *adminCall, body limitBody) (any, error) {
	l := grant.Limit{Role: body.Role, Currency: body.Currency, One: body.One, Day: body.Day}
	if err := a.people.SetLimit(c.Context(), c.by, c.act, l); err != nil {
		return nil, err
	}
	return a.operators(c)
}

// revokeBody names a role of a person, and with merchants or a mode one grant of it.
type revokeBody struct {
	Who       string     `json:"who"`
	Role      grant.Role `json:"role"`
	Merchants []string   `json:"merchants,omitempty"`
	Mode      grant.Mode `json:"mode,omitempty"`
	because
}

func (a adminActs) revoke(c *adminCall, body revokeBody) (any, error) {
	if !slices.Contains(grant.Roles, body.Role) {
		return nil, fault.At("role", "It should be a role.")
	}
	if body.Mode != "" && !slices.Contains(grant.Modes, body.Mode) {
		return nil, fault.At("mode", "It should be one of live, test, both.")
	}
	g := grant.Grant{Who: body.Who, Role: body.Role, Merchants: body.Merchants, Mode: body.Mode}
	if err := a.people.Revoke(c.Context(), c.by, c.act, g); err != nil {
		return nil, err
	}
	return a.operators(c)
}

// forgetBody names a payer by the e-mail address, and how many payments were seen to be theirs.
type forgetBody struct {
	Email    string `json:"email"`
	Expected int    `json:"expected"`
	because
}

func (a adminActs) forget(c *adminCall, body forgetBody) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	return forget.New(c.api.Core).Forget(c.Context(), c.act, body.Email, body.Expected)
}

type sessionBody struct {
	ID string `json:"id"`
	because
}

func (a adminActs) endSession(c *adminCall, body sessionBody) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	if err := a.people.EndSession(c.Context(), c.act, body.ID); err != nil {
		return nil, err
	}
	return a.sessions(c)
}

func (a adminActs) export(c *adminCall) (any, error) {
	page, err := a.actor.By(c.auditAct("")).Export(c.Context(), c.by, c.query.Filter)
	return export{page.Lines, page.Cursor, c.query.format == "jsonl"}, err
}
