package main

import (
	"encoding/json"
	"fmt"
	"sync"
)

// followUps are the checks of captures, voids and refunds.
var followUps = []check{
	{"refunds within what was charged", refunds},
	{"refunds at once within what was charged", refundsAtOnce},
	{"refund repeated: one refund", refundRepeated},
	{"authorise and capture", captures},
	{"void once", voids},
	{"void after a refund declined", voidAfterRefund},
	{"capture, void and refund of an unknown charge declined", ofUnknown},
}

// same reports whether an amount is the one that was sent.
func same(got json.RawMessage, want any) bool {
	var a, b any
	text, err := json.Marshal(want)
	if err != nil || json.Unmarshal(got, &a) != nil || json.Unmarshal(text, &b) != nil {
		return false
	}
	one, _ := json.Marshal(a) // what was read can be written, with its members in order
	other, _ := json.Marshal(b)
	return string(one) == string(other)
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
