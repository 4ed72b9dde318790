package main

import (
	"errors"
	"fmt"
)

// wallets are the checks of charges with wallets, in both flows. An adapter may refuse each flow as a whole.
var wallets = []check{
	{"wallet's token", withToken},
	{"wallet's token declined and repeated", tokenDeclined},
	{"wallet's token authorised and captured", tokenCaptured},
	{"later payment of a wallet's token", tokenLater},
	{"wallet's token without its kind refused", wrongWallet(virtual, body{"kind": nil})},
	{"wallet's token of another method refused", wrongWallet(virtual, body{"kind": "applepay"})},
	{"wallet without its token refused", wrongWallet(virtual, body{"token": nil})},
	{"wallet's card", withCard},
	{"later payment of a wallet's card", cardLater},
	{"wallet's card without a cryptogram refused", wrongCard(body{"cryptogram": nil})},
	{"wallet's card without the type of its number refused", wrongCard(body{"pan_type": nil})},
	{"wallet's card with a token refused", wrongWallet(ofDevice, body{"token": tokens["googlepay"]})},
	{"3-D Secure of a card that nobody has authenticated", unauthenticated},
}

// tokens have the form of wallets' tokens, and nothing in them.
var tokens = map[string]string{
	"applepay":  `{"version":"EC_v1","data":"Y2hlY2s=","signature":"Y2hlY2s=","header":{"transactionId":"00"}}`,
	"googlepay": `{"protocolVersion":"ECv2","signature":"Y2hlY2s=","intermediateSigningKey":{},"signedMessage":"{}"}`,
}

// virtual is a charge of the virtual flow.
func virtual(c *checker, kind, value string) body {
	return c.charge(value).with(body{
		"method": kind, "card": nil, "parameters": nil,
		"wallet": body{"kind": kind, "flow": "virtual", "token": tokens[kind]},
	})
}

// ofDevice is a charge of the card flow.
func ofDevice(c *checker, kind, value string) body {
	return c.charge(value).with(body{
		"method": kind, "parameters": nil, "wallet": body{"kind": kind, "flow": "card"},
		"card": body{
			"number": "4111111111111111", "expiry_month": 12, "expiry_year": 2035, "pan_type": "dpan",
			"cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=", "eci": "05",
		},
	})
}

// part is a member of a body that is an object.
func (b body) part(name string) body {
	part, _ := b[name].(body)
	return part
}

// pays sends a charge with a wallet, that has to get a status.
func (c *checker) pays(b body, status string) (result, error) {
	r, err := c.send("/charge", b)
	if err == nil && r.status == 422 {
		return r, errNotSupported
	}
	if err == nil {
		err = r.is(b, status)
	}
	return r, err
}

// withToken pays with a token of each wallet.
func withToken(c *checker) error { return c.paysByBoth(virtual) }

// withCard pays with a device's card of each wallet.
func withCard(c *checker) error { return c.paysByBoth(ofDevice) }

func (c *checker) paysByBoth(flow func(c *checker, kind, value string) body) error {
	for _, kind := range []string{"applepay", "googlepay"} {
		b := flow(c, kind, "10.00")
		r, err := c.pays(b, "approved")
		if err == nil {
			err = c.found(b, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func tokenDeclined(c *checker) error {
	b := virtual(c, "googlepay", "9.05")
	r, err := c.pays(b, "declined")
	if err != nil {
		return err
	}
	again, err := c.pays(b, "declined")
	if first, second := r.Decline.Reason, again.Decline.Reason; err == nil &&
		(first != "insufficient_funds" || second != first) {
		err = fmt.Errorf("expected the reason insufficient_funds twice, got %s and %s", first, second)
	}
	return err
}

func tokenCaptured(c *checker) error {
	b := virtual(c, "applepay", "10.00").with(body{"authorise_only": true})
	if _, err := c.pays(b, "authorised"); err != nil {
		return err
	}
	return c.step(c.follow("capture", b, "10.00"), "approved")
}

// later is a later payment of a chain, which has neither token nor cryptogram.
func later(b body, first result) body {
	changed := body{
		"reference": newReference(), "recurring": true, "initial_transaction": first.Provider.ID,
		"session": nil, "return_url": nil, "payer_ip": nil, "wallet": b.part("wallet").with(body{"token": nil}),
	}
	if b["card"] != nil {
		changed["card"] = b.part("card").with(body{"cryptogram": nil, "eci": nil})
	}
	return b.with(changed)
}

func tokenLater(c *checker) error { return c.paysLater(virtual(c, "applepay", "10.00")) }

func cardLater(c *checker) error { return c.paysLater(ofDevice(c, "googlepay", "10.00")) }

func (c *checker) paysLater(b body) error {
	first, err := c.pays(b, "approved")
	if err != nil {
		return err
	}
	_, err = c.pays(later(b, first), "approved")
	return err
}

// wrongWallet changes the wallet of a charge, which has to be refused and not stored.
func wrongWallet(flow func(c *checker, kind, value string) body, changed body) func(*checker) error {
	return func(c *checker) error {
		b := flow(c, "googlepay", "10.00")
		return c.refusedWallet(b, b.with(body{"wallet": b.part("wallet").with(changed)}))
	}
}

// wrongCard changes the card of a charge in the card flow.
func wrongCard(changed body) func(*checker) error {
	return func(c *checker) error {
		b := ofDevice(c, "applepay", "10.00")
		return c.refusedWallet(b, b.with(body{"card": b.part("card").with(changed)}))
	}
}

// refusedWallet sends a wrong charge, which has to be refused, and then the right one with the same reference. An
// adapter that refuses that, too, does not support the flow.
func (c *checker) refusedWallet(right, wrong body) error {
	r, err := c.send("/charge", wrong)
	if err != nil {
		return err
	}
	if r.status != 400 && r.status != 422 {
		return fmt.Errorf("expected status 400, got %d %s", r.status, r.Status)
	}
	_, err = c.pays(right, "approved")
	if err == nil && r.status == 422 {
		err = errors.New("expected status 400, got 422, although the flow is supported")
	}
	return err
}

func unauthenticated(c *checker) error {
	b := ofDevice(c, "googlepay", "10.00")
	b = b.with(body{
		"wallet": b.part("wallet").with(body{"unauthenticated": true}),
		"card":   b.part("card").with(body{"pan_type": "fpan", "cryptogram": nil, "eci": nil}),
	})
	r, err := c.send("/charge", b)
	switch {
	case err != nil:
		return err
	case r.status == 422:
		return errNotSupported
	case r.Status == "declined" && r.Decline.Reason == "authentication_required":
		return nil
	}
	if err := r.is(b, "action_required"); err != nil {
		return err
	}
	if kind := r.actionType(); kind != "3ds" {
		return fmt.Errorf("expected an action of type 3ds, got %q", kind)
	}
	return nil
}
