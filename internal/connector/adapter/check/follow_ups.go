package main

import (
	"fmt"
	"sync"
)

// followUps are the checks of captures, voids and refunds.
var followUps = []check{
	{"refunds within what was charged", refunds},
	{"refunds at once within what was charged", refundsAtOnce},
	{"refund repeated: one refund", refundRepeated},
	{"refund in another currency refused", otherCurrency},
	{"reference of another kind or charge refused", otherKind},
	{"authorise and capture", captures},
	{"void once", voids},
	{"void after a refund declined", voidAfterRefund},
	{"capture, void and refund of an unknown charge declined", ofUnknown},
}

// step sends a follow-up that has to get a status, and looks it up.
func (c *checker) step(b body, status string) error {
	r, err := c.send("/"+b["kind"].(string), b)
	switch {
	case err != nil:
		return err
	case r.status == 422:
		return errNotSupported
	}
	if err := r.is(b, status); err != nil {
		return fmt.Errorf("%s of %v: %w", b["kind"], b["amount"], err)
	}
	return c.found(b, r)
}

// all makes steps until one fails.
func (c *checker) all(charge body, steps [][3]string) error {
	for _, s := range steps {
		if err := c.step(c.follow(s[0], charge, s[1]), s[2]); err != nil {
			return err
		}
	}
	return nil
}

func refunds(c *checker) error {
	b, r, err := c.charged("10.00", "approved")
	if err == nil {
		err = c.all(b, [][3]string{
			{"refund", "10.01", "declined"}, {"refund", "4.00", "approved"}, {"refund", "7.00", "declined"},
			{"refund", "6.00", "approved"}, {"refund", "0.01", "declined"},
		})
	}
	if err == nil {
		err = c.found(b, r) // what became of the charge stays
	}
	return err
}

func refundsAtOnce(c *checker) error {
	b, _, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	results, errs := make([]result, 8), make([]error, 8)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = c.send("/refund", c.follow("refund", b, "3.00")) })
	}
	wait.Wait()
	approved := 0
	for i, r := range results {
		if errs[i] != nil {
			return errs[i]
		}
		if r.status == 422 {
			return errNotSupported
		}
		if r.Status == "approved" {
			approved++
		}
	}
	if approved != 3 {
		return fmt.Errorf("expected 3 refunds of 3.00 of 10.00 to be approved, got %d", approved)
	}
	return nil
}

func refundRepeated(c *checker) error {
	b, _, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	refund := c.follow("refund", b, "6.00")
	for range 2 {
		if err := c.step(refund, "approved"); err != nil {
			return err
		}
	}
	other, err := c.send("/refund", refund.with(body{"amount": c.money("1.00")}))
	if err == nil && other.status != 409 {
		err = fmt.Errorf("expected status 409 for the same reference with another amount, got %d", other.status)
	}
	if err == nil {
		err = c.step(c.follow("refund", b, "4.00"), "approved")
	}
	return err
}

// refusedOrDeclined checks the response to a request that may have no effect.
func refusedOrDeclined(r result) error {
	if r.status == 200 && r.Status == "declined" || r.status >= 400 && r.status <= 499 && r.Error.Reason != "" {
		return nil
	}
	return fmt.Errorf("expected a refusal or declined, got HTTP status %d and status %q", r.status, r.Status)
}

// otherCurrency refunds 1.00 of a currency that the charge does not have, and then all of the charge.
func otherCurrency(c *checker) error {
	b, _, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	currency := "EUR"
	if c.currency == currency {
		currency = "USD"
	}
	refund := c.follow("refund", b, "1.00")
	refund["amount"] = body{"value": "1.00", "currency": currency, "exponent": 2}
	r, err := c.send("/refund", refund)
	switch {
	case err != nil:
		return err
	case r.status == 422 && r.Error.Reason == "not_supported":
		return errNotSupported
	}
	if err := refusedOrDeclined(r); err != nil {
		return err
	}
	return c.step(c.follow("refund", b, "10.00"), "approved")
}

// otherKind sends the references of a charge and of a refund again, in requests that they don't belong to.
func otherKind(c *checker) error {
	one, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	other, _, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	refund := c.follow("refund", one, "1.00")
	if err := c.step(refund, "approved"); err != nil {
		return err
	}
	for name, wrong := range map[string]body{
		"a refund with the reference of its charge": refund.with(body{"reference": one["reference"]}),
		"a refund of another charge":                refund.with(body{"charge": body{"reference": other["reference"]}}),
		"a charge with the reference of a refund":   one.with(body{"reference": refund["reference"]}),
	} {
		r, err := c.send("/"+wrong["kind"].(string), wrong)
		if err == nil && (r.status != 409 || r.Error.Reason == "") {
			err = fmt.Errorf("expected status 409 with an error, got %d", r.status)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := c.found(one, first); err != nil {
		return err
	}
	return c.step(c.follow("refund", other, "10.00"), "approved")
}

// authorised makes an authorisation.
func (c *checker) authorised() (body, result, error) {
	b := c.charge("10.00").with(body{"authorise_only": true})
	r, err := c.send("/charge", b)
	switch {
	case err != nil:
		return nil, r, err
	case r.status == 422:
		return nil, r, errNotSupported
	}
	return b, r, r.is(b, "authorised")
}

func captures(c *checker) error {
	b, r, err := c.authorised()
	if err == nil {
		err = c.all(b, [][3]string{
			{"refund", "1.00", "declined"}, {"capture", "10.01", "declined"}, {"capture", "6.00", "approved"},
			{"capture", "4.00", "declined"}, {"refund", "6.01", "declined"}, {"refund", "6.00", "approved"},
		})
	}
	if err == nil {
		err = c.found(b, r)
	}
	return err
}

func voids(c *checker) error {
	b, r, err := c.authorised()
	if err == nil {
		err = c.all(b, [][3]string{{"void", "", "approved"}, {"void", "", "declined"}, {"capture", "10.00", "declined"}})
	}
	if err == nil {
		err = c.found(b, r)
	}
	return err
}

func voidAfterRefund(c *checker) error {
	b, _, err := c.charged("10.00", "approved")
	if err == nil {
		err = c.all(b, [][3]string{{"refund", "1.00", "approved"}, {"void", "", "declined"}})
	}
	return err
}

func ofUnknown(c *checker) error {
	return c.all(c.charge("10.00"), [][3]string{
		{"refund", "1.00", "declined"}, {"capture", "1.00", "declined"}, {"void", "", "declined"},
	})
}
