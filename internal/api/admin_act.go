package api

import (
	"net/url"
	"strconv"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/store"
)

// adminActs handles the requests of operators that change something.
type adminActs struct {
	admission
	actor  *operator.Actor
	trials *merchant.Trials
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

func (a adminActs) export(c *adminCall) (any, error) {
	page, err := a.actor.By(c.auditAct("")).Export(c.Context(), c.by, c.query.Filter)
	return export{page.Lines, page.Cursor, c.query.format == "jsonl"}, err
}
