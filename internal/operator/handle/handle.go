// Package handle reads what a person types to find payments by: an order number, an id, an address of a page, the last
// four digits of a card, an amount, a day, and whatever else people have in their hands.
package handle

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"checkout/internal/operator/listing"
	"checkout/internal/sensitive"
	"checkout/internal/store"
)

// Handle is a text that was typed, as it was understood. Parse makes one.
type Handle struct {
	Text  string // what to look for
	Whole string // the same with the day behind or before it
	Day   Day    // of the payment; zero: none was named
	Ask   string // what the person has to say more exactly, as a sentence; "": nothing
	ID

	exact   bool // it was in quotes
	card    cardDigits
	amounts amounts
	code    string // that may be an approval code
}

// ID is what an id of ours says.
type ID struct{ Order, Payment, Session string } // the hash of its order, and what it is

// Longest is the most characters of what is searched for: an address of a page has more than an order number.
const Longest = 1000

var (
	inQuotes  = expression(`^["“”„«](.+)["“”»]$`)
	webhookID = expression(`^msg_([0-9a-fA-F-]{36})_\d{1,6}$`)
	address   = expression(`^(?:https?://|[\w.-]+(?::\d+)?/\S*[?#])\S+$`)
	idWithin  = expression(`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{64}|[0-9a-fA-F]{32}`)
	maskForm  = expression(`^(?:[\pL ]*[\pL] ?)?(\d{0,6})[*•·xX…#]{1,15}(\d{4})$`)
	approval  = expression(`^[A-Za-z0-9]{2,12}$`)
	phoneForm = expression(`^[+( ]*\d[\d ().\-/]*$`)
)

// Parse reads what a person has typed at a time in a zone, which is now's.
func Parse(text string, now time.Time) Handle {
	h := Handle{Text: strings.TrimSpace(text)}
	h.Whole = h.Text
	if parts := inQuotes().FindStringSubmatch(h.Text); parts != nil {
		h.Text, h.exact = strings.TrimSpace(parts[1]), true
		h.Whole = h.Text
		return h
	}
	if address().MatchString(h.Text) {
		if id := idWithin().FindString(h.Text); id != "" {
			h.Text = id
			h.Whole = id
		}
	}
	if h.readID(); h.Order != "" {
		return h
	}
	h.Text, h.Day, h.Ask = splitDay(h.Text, now)
	h.readID()
	h.readCard()
	h.amounts = parseAmount(h.Text)
	if approval().MatchString(h.Text) {
		h.code = h.Text
	}
	return h
}

// readID reads an id of ours. A value of somebody else may be in the form of one, such as one in eight random texts of
// 32 or 64 hex digits: whether it is an id of ours is known when the order was looked for.
func (h *Handle) readID() {
	id := h.Text
	if parts := webhookID().FindStringSubmatch(id); parts != nil {
		id = parts[1]
	}
	id = strings.ToLower(id)
	if hash, _, err := store.SplitPaymentID(id); err == nil {
		h.ID = ID{Order: hash, Payment: id}
	} else if whole := len(id) == 64; whole || len(id) == 32 {
		h.Session = store.PublicID(id)
		h.Order = orderOfSession(h.Session)
	}
}

// orderOfSession returns the order hash in the public part of a session's id, "" if it is none.
func orderOfSession(public string) string {
	key, err := store.SessionKey(public + strings.Repeat("0", 32))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(key.Partition, store.OrderPartition(""))
}

// Keys are those of documents that are stored if the text is an id of ours: a payment, or the first session of the
// order in a session's id, while it is kept.
func (id ID) Keys() []store.Key {
	switch {
	case id.Payment != "":
		if key, err := store.PaymentKey(id.Payment); err == nil {
			return []store.Key{key}
		}
	case id.Order != "":
		return []store.Key{store.FirstSessionKey(id.Order)}
	}
	return nil
}

// cardDigits are digits of a card that a mask shows.
type cardDigits struct{ first, last string }

// readCard reads the last four digits of a card, or a mask of it as lists, timelines and statements have it.
func (h *Handle) readCard() {
	if len(h.Text) == 4 && isDigits(h.Text) {
		h.card.last = h.Text
		return
	}
	if parts := maskForm().FindStringSubmatch(withoutBlanks(h.Text)); parts != nil {
		h.card = cardDigits{parts[1], parts[2]}
	}
}

func withoutBlanks(text string) string { return strings.Join(strings.Fields(text), "") }

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isPhone reports whether a text may be a phone number.
func (h Handle) isPhone() bool {
	digits := len(listing.Digits(h.Text))
	return !h.exact && !h.isIP() && digits >= 6 && digits <= 15 && phoneForm().MatchString(h.Text)
}

func (h Handle) isIP() bool {
	_, err := netip.ParseAddr(h.Text)
	return err == nil
}

// IsCardNumber reports whether the text has the number of a card, which nobody should search for.
func (h Handle) IsCardNumber() bool { return h.Order == "" && sensitive.HasCard(h.Text) }

// Listed returns the find entries that have the text: as it is, and as names, phone numbers and addresses are listed.
func (h Handle) Listed() []string {
	all := []string{listing.Handle(h.Text)}
	if !h.exact {
		all = append(all, listing.NameHandle(h.Text), listing.IPHandle(h.Text))
	}
	if h.isPhone() {
		all = append(all, listing.PhoneHandle(h.Text))
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(one string) bool { return one == "" })
}

// InRows reports whether the text may be what many payments have in common: digits of a card, an amount, an approval
// code, or nothing but a day.
func (h Handle) InRows() bool {
	return h.card.last != "" || len(h.amounts.texts) > 0 || h.code != "" || h.Text == "" && h.Day != Day{}
}

// Fits reports whether a row has the digits of the card, the amount or the approval code.
func (h Handle) Fits(row listing.Row) bool {
	switch {
	case h.Text == "":
		return h.Day != Day{}
	case h.card.last != "" && row.LastFour() == h.card.last && strings.HasPrefix(row.Card, h.card.first):
		return true
	case h.code != "" && strings.EqualFold(row.ApprovalCode, h.code):
		return true
	}
	return h.amounts.fit(row)
}

// ValueWords says as what the text is looked up in all payments.
func (h Handle) ValueWords() string {
	kinds := "order number, e-mail address, name, token, reference, or an id of the provider or of a request"
	switch {
	case h.exact:
		return kinds + ", exactly as it is in the quotes"
	case h.isIP():
		return "IP address, " + kinds
	case h.isPhone():
		return "phone number, " + kinds
	}
	return kinds
}

// RowWords says as what the text is searched in the payments of some days.
func (h Handle) RowWords() string {
	var kinds []string
	if h.card.last != "" {
		kinds = append(kinds, "card that "+h.card.words())
	}
	if text := h.amounts.words(); text != "" {
		kinds = append(kinds, text)
	}
	if h.code != "" {
		kinds = append(kinds, "approval code")
	}
	text := strings.Join(kinds, ", or ")
	switch date := h.Day.From.Format(time.DateOnly); {
	case h.Text == "":
		return "day " + date
	case h.Day != Day{}:
		return text + ", on " + date
	}
	return text
}

func (c cardDigits) words() string {
	if c.first != "" {
		return fmt.Sprintf("begins with %s and ends with %s", c.first, c.last)
	}
	return "ends with " + c.last
}
