package main

import (
	"fmt"
	"regexp"
	"unicode/utf8"
)

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

// storesCard makes a charge that starts a chain and saves the card, then a later payment of the chain and a charge of
// the saved card, as they come to an adapter that has not seen the first one.
func storesCard(c *checker) error {
	first := c.charge("10.00").with(body{"starts_chain": true, "saves_card": true})
	r, err := c.send("/charge", first)
	if err == nil {
		err = r.is(first, "approved")
	}
	if err != nil {
		return err
	}
	stored := body{"network_transaction_id": "MCC0000010102"}
	later := c.charge("10.00").with(stored).with(body{
		"recurring": true, "initial_transaction": r.Provider.ID, "session": nil, "payer_ip": nil, "browser": nil,
		"return_url": nil,
	})
	again := c.charge("10.00").with(stored)
	for name, b := range map[string]body{"of a later payment": later, "of a saved card": again} {
		if card, found := b["card"].(body); found {
			b["card"] = card.with(body{"security_code": nil, "saved": true})
		}
		r, err := c.send("/charge", b)
		if err == nil && r.status == 422 {
			return errNotSupported
		}
		if err == nil {
			err = r.is(b, "approved")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
