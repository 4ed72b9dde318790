package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sync"
	"unicode/utf8"
)

// is checks a result.
func (r result) is(b body, status string) error {
	switch {
	case r.status != 200:
		return fmt.Errorf("expected HTTP status 200, got %d %s", r.status, r.Error.Reason)
	case r.Kind != b["kind"] || r.Reference != b["reference"]:
		return fmt.Errorf("expected kind %v and reference %v, got %q and %q", b["kind"], b["reference"], r.Kind, r.Reference)
	case r.Status != status:
		return fmt.Errorf("expected status %s, got %q", status, r.Status)
	case status == "declined" && r.Decline.Reason == "":
		return errors.New("expected decline.reason")
	}
	moved := (status == "approved" || status == "authorised") && r.Kind != "void"
	if moved && (!same(r.Amount, b["amount"]) || !same(r.Requested, b["amount"])) {
		return fmt.Errorf("expected amount and requested %v, got %s and %s", b["amount"], r.Amount, r.Requested)
	}
	if moved && r.Kind == "charge" && r.Provider.ID == "" {
		return errors.New("expected provider.id")
	}
	return r.told()
}

// charged sends a charge that has to get a status.
func (c *checker) charged(value, status string) (body, result, error) {
	b := c.charge(value)
	r, err := c.send("/charge", b)
	if err == nil {
		err = r.is(b, status)
	}
	return b, r, err
}

func approved(c *checker) error {
	_, _, err := c.charged("10.00", "approved")
	return err
}

func declined(value, reason string) func(*checker) error {
	return func(c *checker) error {
		_, r, err := c.charged(value, "declined")
		if err == nil && r.Decline.Reason != reason {
			err = fmt.Errorf("expected the reason %s, got %s", reason, r.Decline.Reason)
		}
		return err
	}
}

func repeated(c *checker) error {
	b, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	again, err := c.send("/charge", b)
	if err == nil && !reflect.DeepEqual(first, again) {
		err = fmt.Errorf("expected %+v again, got %+v", first, again)
	}
	return err
}

func atOnce(c *checker) error {
	b := c.charge("10.00")
	results, errs := make([]result, 8), make([]error, 8)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i], errs[i] = c.send("/charge", b) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, r := range results {
		if err := r.is(b, "approved"); err != nil {
			return err
		}
		if r.Provider.ID != results[0].Provider.ID {
			return fmt.Errorf("expected one provider.id, got %s and %s", results[0].Provider.ID, r.Provider.ID)
		}
	}
	return nil
}

func otherAmount(c *checker) error {
	b, first, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	other, err := c.send("/charge", b.with(body{"amount": c.money("11.00")}))
	if err != nil {
		return err
	}
	if other.status != 409 || other.Error.Reason == "" {
		return fmt.Errorf("expected status 409 with an error, got %d", other.status)
	}
	return c.found(b, first)
}

// found checks that a look-up returns a result.
func (c *checker) found(b body, want result) error {
	got, err := c.lookUp(b)
	if err == nil && !reflect.DeepEqual(got, want) {
		err = fmt.Errorf("expected of a look-up %+v, got %+v", want, got)
	}
	return err
}

func (c *checker) lookUp(b body) (result, error) {
	return c.send("/lookup", body{"kind": b["kind"], "reference": b["reference"]})
}

func lookUpKnown(c *checker) error {
	for value, status := range map[string]string{"10.00": "approved", "9.05": "declined"} {
		b, r, err := c.charged(value, status)
		if err == nil {
			err = c.found(b, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func lookUpUnknown(c *checker) error {
	for _, reference := range []string{newReference(), "..", "a/b", "%00", "ä'\""} {
		b := body{"kind": "charge", "reference": reference}
		r, err := c.lookUp(b)
		if err == nil {
			err = r.is(b, "unknown")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", reference, err)
		}
	}
	return nil
}

func lookUpOtherKind(c *checker) error {
	b, _, err := c.charged("10.00", "approved")
	if err != nil {
		return err
	}
	other := b.with(body{"kind": "refund"})
	r, err := c.lookUp(other)
	if err == nil {
		err = r.is(other, "unknown")
	}
	return err
}

// describes asks how late a look-up finds a request.
func describes(c *checker) error {
	r, err := c.send("/describe", body{})
	switch {
	case err != nil:
		return err
	case r.status >= 400 && r.status < 500 && r.Error.Reason != "":
		return errNotSupported
	case r.status != 200 || r.FoundAfter == nil || *r.FoundAfter < 0 || *r.FoundAfter > 86400:
		return fmt.Errorf("expected found_after from 0 to 86400, got status %d %s", r.status, r.Error.Reason)
	}
	return nil
}

func requiredAction(c *checker) error {
	b, _, err := c.charged("9.10", "action_required")
	if err != nil {
		return err
	}
	ended, err := c.send("/cancel", body{
		"kind": "charge", "reference": b["reference"], "payment": b["payment"], "amount": b["amount"],
	})
	if err != nil || ended.status == 422 {
		return err
	}
	if ended.Status != "declined" && ended.Status != "action_required" {
		return fmt.Errorf("expected of a cancel declined or action_required, got %q", ended.Status)
	}
	return c.found(b, ended)
}

var twoDigits = regexp.MustCompile(`^[0-9]{2}$`)

// told checks what a result tells of the card scheme and of 3-D Secure, as far as it tells it.
func (r result) told() error {
	if eci := r.Authentication.ECI; eci != "" && !twoDigits.MatchString(eci) {
		return fmt.Errorf("expected two digits in authentication.eci, got %q", eci)
	}
	for name, text := range map[string]string{
		"provider.network_transaction_id":  r.Provider.NetworkID,
		"authentication.three_ds_version":  r.Authentication.ThreeDSVersion,
		"authentication.ds_transaction_id": r.Authentication.DSTransaction,
	} {
		if utf8.RuneCountInString(text) > 255 {
			return fmt.Errorf("expected at most 255 characters in %s", name)
		}
	}
	return nil
}
