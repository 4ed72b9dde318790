package demo

import (
	"slices"
	"strings"
)

// step is one step of making a hash, with the parts of what it leads to.
type step struct {
	Name  string
	Parts []string
}

// signed is a session request that can be sent.
type signed struct {
	order order
	body  tree
	steps []step
	own   string // the hash, if the request came with one of its own
}

// sign replaces the placeholders of a session request with a key, a new order number and the hash.
func (s *Shop) sign(request tree, live bool) signed {
	key, number := s.config.key(live), s.newOrderNumber()
	body := request.replaced(strings.NewReplacer(keySlot, key, orderSlot, number))
	fields, _ := body.member("order")
	text := func(name string) string {
		value, _ := fields.member(name)
		return value.text()
	}
	o := order{
		Key: key, Number: text("number"), Amount: text("amount"), Currency: text("currency"),
		Description: text("description"),
	}
	parts := []string{o.Number, o.Amount, o.Currency, o.Description}
	hash := s.config.hash(upperASCII, parts...)
	r := signed{order: o, steps: s.config.hashSteps(parts...)}
	if own, sent := body.member("hash"); sent && own.text() != hashSlot {
		r.own = own.text()
	}
	r.body = body.replaced(strings.NewReplacer(hashSlot, hash))
	return r
}

// mask stands for the password wherever the shop shows what is signed.
const mask = "••••••••"

// hashSteps returns how the hash of parts is made, with a mask for the password.
func (c Config) hashSteps(parts ...string) []step {
	inner := "MD5"
	if c.SHA256 {
		inner = "SHA-256"
	}
	var upper []string
	for _, part := range parts {
		upper = append(upper, upperASCII(part))
	}
	return []step{
		{"order.number + amount + currency + description + password", append(slices.Clone(parts), mask)},
		{"a to z in upper case", append(upper, mask)},
		{inner + " of it, in hexadecimal digits", []string{c.innerHash(upperASCII(strings.Join(parts, "") + c.Password))}},
		{"SHA-1 of these digits", []string{c.hash(upperASCII, parts...)}},
	}
}
