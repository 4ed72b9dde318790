// Package blocklist has what operators block: cards, e-mail addresses and addresses of payers, for one merchant or for
// all, until a time. A charge that fits an entry is declined before anything is sent to a provider.
package blocklist

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"checkout/internal/fault"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// Kind is what an entry blocks.
type Kind string

// The kinds.
const (
	Card  Kind = "card"  // by the fingerprint of its number
	Email Kind = "email" // of the customer, in small letters
	IP    Kind = "ip"    // an address of payers, or a network in CIDR form
)

// Kinds are all kinds.
var Kinds = []Kind{Card, Email, IP}

// Reason returns the code of a decline by an entry of the kind.
func (k Kind) Reason() reason.Code {
	return map[Kind]reason.Code{
		Card: reason.BlockListCard, Email: reason.BlockListEmail, IP: reason.BlockListIP,
	}[k]
}

// All stands for all merchants in the owner of a list.
const All = "*"

// Most is the most entries of a list: they are read as one document.
const Most = 1000

// Entry blocks one thing until a time.
type Entry struct {
	ID        string    `json:"id"`
	Kind      Kind      `json:"kind"`
	Value     string    `json:"value"`
	Card      string    `json:"card,omitempty"`       // 6 digits, 6 stars, 4 digits
	PaymentID string    `json:"payment_id,omitempty"` // that the value is of
	Reason    string    `json:"reason"`
	By        string    `json:"by"` // who has blocked it
	At        time.Time `json:"at"`
	Until     time.Time `json:"until"`
}

// Masked returns the value for people who may not see it: of an e-mail address its first character and its domain, of
// an IP address the network around it.
func (e Entry) Masked() string {
	if e.Kind == Email {
		_, size := utf8.DecodeRuneInString(e.Value)
		_, domain, _ := strings.Cut(e.Value, "@")
		return e.Value[:size] + "***@" + domain
	}
	network, _ := networkOf(e.Value)
	bits := widestIPv6
	if network.Addr().Is4() {
		bits = widestIPv4
	}
	around, _ := network.Addr().Prefix(bits)
	return around.String()
}

// Text names what is blocked, without personal data: the audit log keeps it.
func (e Entry) Text() string {
	switch e.Kind {
	case Card:
		return "the card " + e.Card
	case Email:
		return "the e-mail address " + e.Masked()
	}
	return "an IP address or a network in " + e.Masked()
}

// Warning tells a merchant that the payer of a request is blocked.
func (e Entry) Warning() string {
	text := fmt.Sprintf("%s Payments are declined until %s.", e.Kind.Reason().Row().Text,
		e.Until.UTC().Format("2006-01-02 15:04 UTC"))
	if e.Reason != "" {
		text += " Why: " + e.Reason
	}
	return text
}

// List is the document of what is blocked for an owner. The merchant All stands for all merchants.
type List struct {
	Entries []Entry `json:"entries"`

	version int64
}

// Complete implements store.Shortened.
func (l *List) Complete(r store.Record) error {
	l.version = r.Version
	return nil
}

// Record returns the document of an owner's list, which replaces the one that was read.
func (l *List) Record(o fault.Owner) store.Record {
	return store.Encode(store.BlocksKey(o.Text()), l.version, l)
}

// Keys are the keys of the lists that count for an owner's payments.
func Keys(o fault.Owner) []store.Key {
	return []store.Key{store.BlocksKey(o.Text()), store.BlocksKey(fault.Owner{Merchant: All, Test: o.Test}.Text())}
}

// With returns the list with an entry, in place of one for the same, and without those that have ended. ok is false if
// it has too many then.
func (l List) With(e Entry, now time.Time) (_ List, ok bool) {
	l.Entries = slices.DeleteFunc(slices.Clone(l.Entries), func(old Entry) bool {
		return !now.Before(old.Until) || old.Kind == e.Kind && old.Value == e.Value
	})
	l.Entries = append(l.Entries, e)
	return l, len(l.Entries) <= Most
}

// Without returns the list without the entry that has an id, and that entry. ok is false if there is none.
func (l List) Without(id string) (_ List, gone Entry, ok bool) {
	i := slices.IndexFunc(l.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return l, gone, false
	}
	gone = l.Entries[i]
	l.Entries = slices.Delete(slices.Clone(l.Entries), i, i+1)
	return l, gone, true
}

// Payer is what is known of who pays: what is "" fits no entry.
type Payer struct {
	Card  string // fingerprint
	Email string
	IP    string
}

// Find returns the first entry that blocks a payer at a time, nil for none.
func (l List) Find(p Payer, now time.Time) *Entry {
	email := NormalEmail(p.Email)
	address, _ := netip.ParseAddr(p.IP)
	for i, e := range l.Entries {
		fits := false
		switch e.Kind {
		case Card:
			fits = e.Value == p.Card
		case Email:
			fits = e.Value == email
		case IP:
			network, err := networkOf(e.Value)
			fits = err == nil && network.Contains(address.Unmap().WithZone(""))
		}
		if fits && now.Before(e.Until) {
			return &l.Entries[i]
		}
	}
	return nil
}

// HasCards reports whether a card is blocked.
func (l List) HasCards(now time.Time) bool {
	return slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Kind == Card && now.Before(e.Until) })
}

// NormalEmail returns an e-mail address as lists have it.
func NormalEmail(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// The widest networks that can be blocked, so that a slip does not block a country.
const (
	widestIPv4 = 16
	widestIPv6 = 32
)

// NormalIP returns an address or a network as lists have it. The fault says what is wrong with it.
func NormalIP(text string) (normal, wrong string) {
	network, err := networkOf(strings.TrimSpace(text))
	widest := widestIPv6
	if network.Addr().Is4() {
		widest = widestIPv4
	}
	switch {
	case err != nil:
		return "", "It should be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24."
	case network.Bits() < widest:
		return "", fmt.Sprintf("It blocks too many: a network of IPv4 has at least /%d, one of IPv6 /%d.",
			widestIPv4, widestIPv6)
	case network.IsSingleIP():
		return network.Addr().String(), ""
	}
	return network.String(), ""
}

// networkOf reads an address as the network of itself alone. IPv4 in IPv6 is IPv4.
func networkOf(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap().WithZone("")
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if mapped := network.Addr(); err == nil && mapped.Is4In6() && network.Bits() >= 96 {
		network = netip.PrefixFrom(mapped.Unmap(), network.Bits()-96)
	}
	return network.Masked(), err
}
