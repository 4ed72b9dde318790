package checkout

import (
	"encoding/json"
	"time"

	"checkout/internal/money"
)

// checkSession checks every field of a POST /api/v1/session and, if all are sound, its hash. The
// merchant is nil if merchant_key is unknown.
// Errors: CodeInvalid with every fault in the order of core.md's tables, CodeHash.
func checkSession(in fields, m *Merchant, now time.Time) (SessionRequest, error) {
	in = in.afresh()
	rules := readingOf(in, m, now)
	r := readSessionRequest(in, m, rules, now)
	if err := in.err(); err != nil {
		return SessionRequest{}, withFirst(err, rules.firstErrors)
	}
	found := m != nil
	if !found {
		m = noMerchant
	}
	if !sessionHashIsGood(in, m, r) || !found {
		return SessionRequest{}, errHash()
	}
	return r, nil
}

// sessionHashIsGood also tries the formatted text of an amount that came as a JSON number (decisions.md 3).
func sessionHashIsGood(in fields, m *Merchant, r SessionRequest) bool {
	if verifyHash(r.Hash, m, signedSession(r.Order)...) {
		return true
	}
	if _, number := in.inside("order").value("amount").(json.Number); !number {
		return false
	}
	currency, _ := money.Find(r.Order.Currency)
	amount, err := money.Parse(r.Order.Amount, currency)
	r.Order.Amount = amount.String()
	return err == nil && !readsAsReturn(r.Order) && verifyHash(r.Hash, m, signedSession(r.Order)...)
}

// readingOf is how the mapping that the request would be routed to has it read. Only where the merchant's
// mappings differ in that is the request read once more, as laxly as any might take it, to find its route.
func readingOf(in fields, m *Merchant, now time.Time) reading {
	common, alike := m.commonReading()
	if alike {
		return common
	}
	req := readSessionRequest(in.afresh(), m, laxest, now)
	route, err := findRoute(m, &req)
	if err != nil {
		return reading{}
	}
	return route.mapping.reading()
}
