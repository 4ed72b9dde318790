package merchant

import (
	"encoding/json"
	"time"

	"checkout/internal/money"
	"checkout/internal/request"
)

// CheckSession checks every field of a POST /api/v1/session and, if all are sound, its hash. The
// merchant is nil if merchant_key is unknown.
// Errors: CodeInvalid with every fault in the order of core.md's tables, CodeHash.
func CheckSession(in request.Reader, m *Merchant, now time.Time) (request.Session, error) {
	in = in.Afresh()
	rules := ReadingOf(in, m, now)
	r := request.ReadSession(in, m, rules, now)
	if err := in.Err(); err != nil {
		return request.Session{}, request.WithFirst(err, rules.FirstErrors)
	}
	found := m != nil
	if !found {
		m = NoMerchant
	}
	if !sessionHashIsGood(in, m, r) || !found {
		return request.Session{}, request.ErrHash()
	}
	return r, nil
}

// sessionHashIsGood also tries the formatted text of an amount that came as a JSON number (decisions.md 3).
func sessionHashIsGood(in request.Reader, m *Merchant, r request.Session) bool {
	if VerifyHash(r.Hash, m, request.SignedSession(r.Order)...) {
		return true
	}
	if _, number := in.Inside("order").Value("amount").(json.Number); !number {
		return false
	}
	currency, _ := money.Find(r.Order.Currency)
	amount, err := money.Parse(r.Order.Amount, currency)
	r.Order.Amount = amount.String()
	return err == nil && !request.ReadsAsReturn(r.Order) && VerifyHash(r.Hash, m, request.SignedSession(r.Order)...)
}

// ReadingOf is how the mapping that the request would be routed to has it read. Only where the merchant's
// mappings differ in that is the request read once more, as laxly as any might take it, to find its route.
func ReadingOf(in request.Reader, m *Merchant, now time.Time) request.Rules {
	common, alike := m.commonReading()
	if alike {
		return common
	}
	req := request.ReadSession(in.Afresh(), m, request.Laxest, now)
	route, err := FindRoute(m, &req)
	if err != nil {
		return request.Rules{}
	}
	return route.Mapping.reading()
}
