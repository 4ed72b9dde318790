package main

import "fmt"

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
