package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// refusals are the checks of requests that an adapter refuses.
var refusals = []check{
	{"signature", signatures},
	{"two signatures, of which one is right", twoSignatures},
	{"broken requests", broken},
	{"members that are not known", unknownMembers},
	{"unknown path or method", notSupported},
}

// signatures sends requests that are not signed as they have to be: they get status 401 and have no effect.
func signatures(c *checker) error {
	for name, spoil := range map[string]func(*message){
		"no signature":          func(m *message) { m.unsigned = true },
		"another path signed":   func(m *message) { m.signedPath = "/refund" },
		"another body":          func(m *message) { m.changed = strings.Replace(m.text, "10.00", "99.00", 1) },
		"an old timestamp":      func(m *message) { m.at = m.at.Add(-6 * time.Minute) },
		"a timestamp to come":   func(m *message) { m.at = m.at.Add(6 * time.Minute) },
		"a key that is unknown": func(m *message) { m.key = "x" + m.key },
	} {
		b := c.charge("10.00")
		text, err := json.Marshal(b)
		if err != nil {
			return err
		}
		reference, _ := b["reference"].(string)
		m := message{
			path: "/charge", signedPath: "/charge", text: string(text), key: c.key + "\n" + reference, at: time.Now(),
		}
		spoil(&m)
		r, err := c.deliver(m)
		if err == nil && r.status != 401 {
			err = fmt.Errorf("expected status 401, got %d", r.status)
		}
		if err == nil {
			r, err = c.lookUp(b)
		}
		if err == nil {
			err = r.is(b, "unknown")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// twoSignatures signs a request with the account's secret and another one, as while a secret is changed.
func twoSignatures(c *checker) error {
	b := c.charge("10.00")
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	r, err := c.deliver(message{
		path: "/charge", signedPath: "/charge", text: string(text), key: c.key + "\n" + b["reference"].(string),
		at: time.Now(), signedTwice: true,
	})
	if err == nil {
		err = r.is(b, "approved")
	}
	return err
}

// broken sends signed requests that are not of the contract: they get a signed refusal.
func broken(c *checker) error {
	good := c.charge("10.00")
	texts := map[string]string{"no JSON": "{", "no object": "[]"}
	for name, changed := range map[string]body{
		"no reference":            {"reference": nil},
		"no amount":               {"amount": nil},
		"an amount of zero":       {"amount": c.money("0.00")},
		"a negative amount":       {"amount": c.money("-1.00")},
		"an amount as a number":   {"amount": body{"value": 10, "currency": c.currency, "exponent": 2}},
		"too many decimals":       {"amount": c.money("10.000")},
		"too few decimals":        {"amount": c.money("10")},
		"an amount with a comma":  {"amount": c.money("10,00")},
		"another kind than /path": {"kind": "refund"},
	} {
		text, err := json.Marshal(good.with(changed))
		if err != nil {
			return err
		}
		texts[name] = string(text)
	}
	reference, _ := good["reference"].(string)
	for name, text := range texts {
		r, err := c.deliver(message{
			path: "/charge", signedPath: "/charge", text: text, key: c.key + "\n" + reference, at: time.Now(),
		})
		if err == nil && (r.status < 400 || r.status > 499 || r.status == 401 || r.status == 429 || r.Error.Reason == "") {
			err = fmt.Errorf("expected a status from 400 to 499 with an error, got %d", r.status)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	r, err := c.lookUp(good)
	if err == nil {
		err = r.is(good, "unknown")
	}
	return err
}

func unknownMembers(c *checker) error {
	b := c.charge("10.00").with(body{"of_a_later_version": body{"a": 1}})
	r, err := c.send("/charge", b)
	if err == nil {
		err = r.is(b, "approved")
	}
	return err
}

func notSupported(c *checker) error {
	r, err := c.send("/of_a_later_version", c.charge("10.00"))
	if err == nil && (r.status < 400 || r.status > 499 || r.Error.Reason == "") {
		err = fmt.Errorf("expected a signed status from 400 to 499 with an error, got %d", r.status)
	}
	return err
}
