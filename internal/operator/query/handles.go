package query

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"checkout/internal/sensitive"
	"checkout/internal/store"
)

// handle is what a person has typed to find a payment by.
type handle struct {
	text  string
	whole string    // with the day
	day   time.Time // of the payment; zero: none was named
	// Of an id of ours: the hash of its order, and what it is.
	order, payment, session string
}

// maxHandle is the most characters of what is searched for: those of an order number.
const maxHandle = 255

// Expressions are compiled when something is searched for: functions of payments never do.
var (
	dayAfter   = expression(`^(.*\S)\s+(\d{4}-\d\d-\d\d)$`)
	webhookID  = expression(`^msg_([0-9a-fA-F-]{36})_\d{1,6}$`)
	fourDigits = expression(`^\d{4}$`)
	amountForm = expression(`^(\d{1,15}(?:[.,]\d{1,18})?)(?:\s*([A-Za-z]{3,10}))?$`)
	approval   = expression(`^[A-Za-z0-9]{2,12}$`)
)

func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// parseHandle reads what a person has typed.
func parseHandle(text string) handle {
	h := handle{text: strings.TrimSpace(text)}
	h.whole = h.text
	if parts := dayAfter().FindStringSubmatch(h.text); parts != nil {
		if at, err := time.Parse(time.DateOnly, parts[2]); err == nil {
			h.text, h.day = parts[1], at
		}
	}
	h.readID()
	return h
}

// readID reads an id of ours. A value of somebody else may be in the form of one, such as one in eight random texts of
// 32 or 64 hex digits: whether it is an id of ours is known when the order was looked for.
func (h *handle) readID() {
	id := h.text
	if parts := webhookID().FindStringSubmatch(id); parts != nil {
		id = parts[1]
	}
	id = strings.ToLower(id)
	if hash, _, err := store.SplitPaymentID(id); err == nil {
		h.order, h.payment = hash, id
		return
	}
	if whole := len(id) == 64; whole || len(id) == 32 {
		h.session = store.PublicID(id)
		h.order = orderOfSession(h.session)
	}
}

// keys are those of documents that are stored if the text is an id of ours: a payment, or the first session of the
// order in a session's id, while it is kept.
func (h *handle) keys() []store.Key {
	switch {
	case h.payment != "":
		if key, err := store.PaymentKey(h.payment); err == nil {
			return []store.Key{key}
		}
	case h.order != "":
		return []store.Key{store.FirstSessionKey(h.order)}
	}
	return nil
}

// orderOfSession returns the order hash in the public part of a session's id, "" if it is none.
func orderOfSession(public string) string {
	key, err := store.SessionKey(public + strings.Repeat("0", 32))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(key.Partition, store.OrderPartition(""))
}

// isCardNumber reports whether a text has the number of a card, which nobody should search for.
func (h handle) isCardNumber() bool { return h.order == "" && sensitive.HasCard(h.text) }

// needsDay reports whether the text may be what many payments have in common: the last four digits of a card, an
// amount or an approval code.
func (h handle) needsDay() bool {
	return amountForm().MatchString(h.text) || approval().MatchString(h.text)
}

// fits reports whether a row has the last four digits, the amount or the approval code.
func (h handle) fits(row Row) bool {
	if fourDigits().MatchString(h.text) && lastFour(row) == h.text {
		return true
	}
	if approval().MatchString(h.text) && row.ApprovalCode != "" && strings.EqualFold(row.ApprovalCode, h.text) {
		return true
	}
	parts := amountForm().FindStringSubmatch(h.text)
	return parts != nil && is(strings.ToUpper(parts[2]), row.Currency) &&
		hasAmount(row, strings.ReplaceAll(parts[1], ",", "."))
}
