package faults

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/method"
	"checkout/internal/reason"
	"checkout/internal/store"
	"checkout/internal/wallet/testwallet"
)

// walletToken makes a token of a wallet with one of the cards, sometimes with a fault, or used by a payment before, or
// used in another session at the same time.
func (o *faultOrder) walletToken() string {
	x, kind := o.x, testwallet.Kind(o.method.id)
	if o.token != "" {
		token := o.token
		o.token = ""
		return token
	}
	if x.lastToken != "" && x.n(8) == 0 {
		return x.lastToken
	}
	content := o.visit.Content("01/38", func(c *testwallet.Content) {
		c.Number, c.Amount = pick(x, faultCards), strings.ReplaceAll(o.amount, ".", "")
		c.PANOnly = kind == testwallet.GooglePay && x.n(3) == 0
	})
	fault := testwallet.Fault("")
	if x.n(8) == 0 {
		fault = pick(x, testwallet.Faults(kind))
	}
	x.lastToken = x.World.Token(kind, content, fault)
	cryptogram := sha256.Sum256([]byte("cryptogram " + content.ID)) // as the test wallet makes it
	if x.tokens == nil {
		x.tokens = map[string][]string{}
	}
	x.tokens[x.lastToken] = []string{
		story.PartOfToken.FindString(x.lastToken), base64.StdEncoding.EncodeToString(cryptogram[:20]),
	}
	if kind == testwallet.GooglePay && x.n(3) == 0 { // those of the other wallet are for one session
		o.twin(x.lastToken)
	}
	return x.lastToken
}

// twin has another order be paid with a token at about the same time. Some of them are paid between the moment when the
// first worker has read that nobody has used the token, and the moment when it stores that it does.
func (o *faultOrder) twin(token string) {
	twin := *o
	o.twins++
	twin.number, twin.calls, twin.token = fmt.Sprintf("%s-twin-%d", o.number, o.twins), 0, token
	if o.copy > 0 { // which has twins of its own
		twin.number += fmt.Sprintf("-copy-%d", o.copy)
	}
	pays := func() {
		if twin.begins() && twin.session != "" {
			twin.pays()
		}
	}
	if o.x.n(3) == 0 {
		o.x.after(o.x.between(0, 3*time.Second), pays)
		return
	}
	o.x.beforeUse = func() {
		o.x.counts("token used between")
		pays()
		o.x.runUntil(o.x.Clock.Now().Add(time.Second)) // so that its worker runs
	}
}

// usesToken lets the twin of an order come before the write that uses their token, once.
func (x *faultRun) usesToken(records []store.Record) {
	twin := x.beforeUse
	isUse := func(r store.Record) bool { return r.Key.Sort == "wallet" && r.Version == 0 }
	if twin == nil || x.depth >= 2 || !slices.ContainsFunc(records, isUse) {
		return
	}
	x.beforeUse = nil
	x.depth++
	defer func() { x.depth-- }()
	twin()
}

// tokensUsedOnce checks that no two payments were sent to a provider with one token.
func (x *faultRun) tokensUsedOnce() {
	users := map[string]string{}
	for _, r := range x.sim.Requests() {
		var charge struct {
			Reference   string
			Transaction string `json:"transaction_id"`
		}
		if r.Family != "adapter" && r.Family != "brandcard" || json.Unmarshal([]byte(r.Body), &charge) != nil {
			continue
		}
		payment := paymentOf(charge.Reference + charge.Transaction)
		for token, marks := range x.tokens {
			if !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(r.Body, mark) }) {
				continue
			}
			if users[token] != "" && users[token] != payment {
				x.Errorf("one token was sent for the payments %s and %s", users[token], payment)
			}
			users[token] = payment
		}
	}
}

// countsWallets counts what has happened to a payment by a wallet.
func (x *faultRun) countsWallets(p payment.Payment, operations []simulator.Operation) {
	if !method.IsWallet(p.Method) {
		return
	}
	last := p.Transactions[max(0, len(p.Transactions)-1):]
	for _, t := range last {
		switch t.ReasonCode {
		case reason.TokenUsed:
			x.counts("token used before")
		case reason.NotSentInTime:
			x.counts("token late")
		}
	}
	var sales, virtual int
	for _, t := range p.Transactions {
		if t.Type == payment.EventSale {
			sales++
		}
	}
	for _, o := range operations {
		if o.Kind == simulator.Charge && paymentOf(o.Reference) == p.ID && o.Family == "brandcard" {
			virtual++
		}
	}
	if sales > 1 {
		x.counts("cascade of a wallet")
	}
	if p.TokenSent && p.Status == payment.StatusSettled {
		x.counts("token from a server")
	}
	if virtual > 0 && (sales > 1 || p.Connector != "brandcard") {
		x.Errorf("payment %s has left the MID that its token was for", p.ID)
	}
}
