package main

import (
	"errors"
	"fmt"
	"time"
)

// twoCharges makes two charges, of which each has a provider's id of its own.
func twoCharges(c *checker) error {
	_, one, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	_, other, err := c.charged("10.00", "approved")
	if err == nil && one.Provider.ID == other.Provider.ID {
		err = fmt.Errorf("expected two values of provider.id, got %s twice", one.Provider.ID)
	}
	return err
}

// withoutPayer sends a charge that needs its payer, who is not there. An adapter may refuse such charges altogether.
func withoutPayer(c *checker) error {
	_, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	b := c.charge("9.10").with(body{
		"recurring": true, "initial_transaction": first.Provider.ID, "session": nil, "payer_ip": nil, "return_url": nil,
	})
	if card, found := b["card"].(body); found {
		b["card"] = card.with(body{"security_code": nil})
	}
	r, err := c.send("/charge", b)
	switch {
	case err != nil:
		return err
	case r.status == 422:
		return errNotSupported
	case r.status != 200 || r.Status == "action_required":
		return fmt.Errorf("expected a result without an action, got HTTP status %d and status %q", r.status, r.Status)
	}
	return c.found(b, r)
}

// aboutCharge is the body of a cancel.
func aboutCharge(charge body) body {
	return body{
		"kind": "charge", "reference": charge["reference"], "payment": charge["payment"], "session": charge["session"],
		"amount": charge["amount"],
	}
}

// cancels cancels a charge that was never received, and one that is approved.
func cancels(c *checker) error {
	b, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	if r, err := c.send("/cancel", aboutCharge(b)); err != nil || r.status == 422 {
		return errors.Join(err, c.found(b, first))
	} else if err := r.is(b, "approved"); err != nil {
		return err
	}
	never := c.charge("10.00")
	r, err := c.send("/cancel", aboutCharge(never))
	if err == nil {
		err = r.is(never, "unknown")
	}
	if err == nil {
		err = c.found(never, r)
	}
	if err == nil {
		err = c.found(b, first)
	}
	return err
}

// continues sends what a payer filled in for a charge that was never received, and for one that is approved.
func continues(c *checker) error {
	b, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	filled := body{"card": nil, "sealed": body{"bankDetails.otp": "123456"}}
	if r, err := c.send("/continue", b.with(filled)); err != nil {
		return err
	} else if r.status == 200 {
		if err := r.is(b, "approved"); err != nil {
			return err
		}
	}
	never := c.charge("10.00")
	r, err := c.send("/continue", never.with(filled))
	if err == nil && r.status == 200 && r.Status != "unknown" {
		err = fmt.Errorf("of a reference that was never received: expected unknown or a refusal, got %q", r.Status)
	}
	if err != nil {
		return err
	}
	if r, err = c.lookUp(never); err == nil {
		err = r.is(never, "unknown")
	}
	if err == nil {
		err = c.found(b, first)
	}
	return err
}

// pending waits for a charge that is decided later, and for its notice.
func pending(c *checker) error {
	b, _, err := c.charged("9.09", "pending")
	if err == nil {
		err = c.step(c.follow("refund", b, "1.00"), "declined")
	}
	if err == nil || errors.Is(err, errNotSupported) {
		err = c.step(c.follow("void", b, ""), "declined")
	}
	if err != nil && !errors.Is(err, errNotSupported) {
		return err
	}
	reference, _ := b["reference"].(string)
	over := time.After(c.wait)
	for {
		if got, _ := c.notices.about(reference); got.Reference != "" && got.Status != "pending" {
			got.status = 200
			if err := got.is(b, "approved"); err != nil {
				return fmt.Errorf("notice: %w", err)
			}
			if got.Payment != b["payment"] || got.Session != b["session"] {
				return fmt.Errorf("notice: expected payment %v and session %v, got %q and %q",
					b["payment"], b["session"], got.Payment, got.Session)
			}
			found, err := c.lookUp(b)
			if err == nil {
				err = found.is(b, "approved")
			}
			return err
		}
		select {
		case <-c.notices.came:
		case <-over:
			_, wrong := c.notices.about(reference)
			return fmt.Errorf("expected a notice within %s, again after status 500; wrong ones: %v", c.wait, wrong)
		}
	}
}
