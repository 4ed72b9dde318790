package preview

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/operator/grant"
	"checkout/internal/request"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
	"checkout/internal/store"

	"pgregory.net/rapid"
)

// shop returns a merchant with two MIDs for cards in USD, of which the first one is tried first, and one for vouchers.
func shop(changes ...func(*settings.Merchant)) *settings.Merchant {
	m := routingtest.WithMIDs(
		settings.MID{Name: "a", Methods: []string{"card"}, Currencies: []string{"USD"}},
		settings.MID{Name: "b", Methods: []string{"card"}},
		settings.MID{Name: "shops", Methods: []string{"voucher"}},
	)
	m.ID = "shop"
	for _, change := range changes {
		change(m)
	}
	return m
}

// session returns the n-th session of the shop, a purchase of 10.00 USD, with changes.
func session(n int, changes ...func(*checkout.Session)) *checkout.Session {
	at := paymenttest.At.Add(time.Duration(n) * time.Second)
	number := fmt.Sprint("order-", n)
	hash := store.OrderHash("live/shop", number)
	sess := &checkout.Session{
		ID:    store.FirstSessionID(store.NewSessionID(hash, at, make([]byte, 24))),
		State: checkout.SessionOpen, Mapping: "main", CreatedAt: at, ExpiresAt: at.Add(time.Hour),
		FirstPaymentID: store.NewPaymentID(hash, at, make([]byte, 4)), MaxDeclines: 3,
	}
	sess.Request.Owner = fault.Owner{Merchant: "shop"}
	sess.Request.Operation = method.Purchase
	sess.Request.Order = request.Order{Number: number, Currency: "USD", Description: "A pen"}
	sess.Request.Customer = request.Customer{Name: "Ann Payer", Email: "ann@payer.example"}
	sess.Request.BillingAddress = request.Address{Country: "DE", City: "Bonn"}
	costs("10.00", "USD")(sess)
	for _, change := range changes {
		change(sess)
	}
	return sess
}

func costs(amount, currency string) func(*checkout.Session) {
	return func(sess *checkout.Session) {
		sess.Request.Order.Currency = currency
		sess.Request.Order.Amount = request.ReadAmount(amount, request.CurrencyOf(sess.Request.Order))
	}
}

func inTest(sess *checkout.Session) { sess.Request.Test = true }

func names(methods ...string) func(*checkout.Session) {
	return func(sess *checkout.Session) { sess.Request.Methods = methods }
}

// mid returns a change of a MID of the shop's only mapping.
func mid(name string, change func(*settings.MID)) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		m.EachMID(func(_ string, mid *settings.MID) {
			if mid.Name == name {
				change(mid)
			}
		})
	}
}

func closed(mid *settings.MID) { mid.Disabled = true }

func weight(n int) func(*settings.MID) { return func(mid *settings.MID) { mid.Weight = n } }

func limit(l settings.Limit) func(*settings.MID) {
	return func(mid *settings.MID) { mid.Limits = append(mid.Limits, l) }
}

func mapping(change func(*settings.Mapping)) func(*settings.Merchant) {
	return func(m *settings.Merchant) { change(&m.Mappings[0]) }
}

// with returns changes as a list.
func with(changes ...func(*settings.Merchant)) []func(*settings.Merchant) { return changes }

// drafted returns what a draft would have done to sessions of the shop with present settings.
func drafted(before, draft []func(*settings.Merchant), sessions ...*checkout.Session) Result {
	return result(newDraft(shop(before...), shop(append(slices.Clone(before), draft...)...), sessions))
}

// counts returns the counts that are not zero in words.
func counts(r Result) string {
	var words []string
	for _, c := range []struct {
		name string
		Change
	}{
		{"other methods", r.OtherMethods}, {"other first MID", r.OtherFirstMID}, {"none", r.None}, {"gained", r.Gained},
	} {
		if len(c.Examples) != min(c.Count, mostExamples) {
			words = append(words, fmt.Sprintf("%d examples", len(c.Examples)))
		}
		if c.Count > 0 {
			words = append(words, fmt.Sprint(c.name, " ", c.Count))
		}
	}
	return strings.Join(words, ", ")
}

func TestCounts(t *testing.T) {
	card := session(1, names("card"))
	for _, test := range []struct {
		name          string
		before, draft []func(*settings.Merchant)
		sessions      []*checkout.Session
		want          string
	}{
		{"no sessions", nil, with(mid("a", closed)), nil, ""},
		{"no change", nil, nil, []*checkout.Session{session(1)}, ""},
		{"one method less", nil, with(mid("shops", closed)), []*checkout.Session{session(1), card}, "other methods 1"},
		{"one more", with(mid("shops", closed)), with(mid("shops", func(mid *settings.MID) { mid.Disabled = false })),
			[]*checkout.Session{session(1)}, "other methods 1"},
		{"another order of methods", nil, with(mapping(func(m *settings.Mapping) { slices.Reverse(m.MIDs[1:]) })),
			[]*checkout.Session{session(1)}, ""},
		{"pre-routing", nil, with(mapping(func(m *settings.Mapping) {
			m.PreRouting = []settings.PreRoute{{Countries: []string{"DE"}, Methods: []string{"voucher"}}}
		})), []*checkout.Session{session(1), card}, "other methods 1"},
		{"the sure first MID is closed", nil, with(mid("a", closed)),
			[]*checkout.Session{session(1), session(2, costs("1", "EUR"))}, "other first MID 1"},
		{"another MID is closed", nil, with(mid("b", closed)), []*checkout.Session{card}, ""},
		{"a weight for the sure first MID", nil, with(mid("a", weight(5))), []*checkout.Session{card}, ""},
		{"a weight for another one", nil, with(mid("b", weight(5))), []*checkout.Session{card}, "other first MID 1"},
		{"other weights of the same MIDs", with(mid("a", weight(1)), mid("b", weight(1))), with(mid("b", weight(9))),
			[]*checkout.Session{card}, ""},
		{"one weight less", with(mid("a", weight(1)), mid("b", weight(1))), with(mid("b", weight(0))),
			[]*checkout.Session{card}, "other first MID 1"},
		{"a mapping before it with a MID of that name", nil, with(func(m *settings.Merchant) {
			m.Mappings = append([]settings.Mapping{{Name: "new", MIDs: m.Mappings[0].MIDs[:1]}}, m.Mappings...)
		}), []*checkout.Session{card}, "other first MID 1"},
		{"both", nil, with(mid("a", closed), mid("shops", closed)), []*checkout.Session{session(1)},
			"other methods 1, other first MID 1"},
		{"no MID", nil, with(mid("a", closed), mid("b", closed)),
			[]*checkout.Session{card, card, card, card, session(2)}, "other methods 1, none 4"},
		{"no MID within its limits", nil, with(mid("a", limit(settings.Limit{Currency: "USD", Max: "9.99"})),
			mid("b", limit(settings.Limit{Currency: "USD", Min: "10.01"}))), []*checkout.Session{card}, "none 1"},
		{"a MID for a currency", with(mid("b", closed)), with(mid("a", func(mid *settings.MID) { mid.Currencies = nil })),
			[]*checkout.Session{card, session(2, names("card"), costs("1", "EUR"))}, "gained 1"},
		{"the merchant is disabled", nil, with(func(m *settings.Merchant) { m.Disabled = true }),
			[]*checkout.Session{card, session(1)}, "none 2"},
		{"the merchant is enabled", with(func(m *settings.Merchant) { m.Disabled = true }),
			with(func(m *settings.Merchant) { m.Disabled = false }), []*checkout.Session{card}, "gained 1"},
		{"the mapping is disabled", nil, with(mapping(func(m *settings.Mapping) { m.Disabled = true })),
			[]*checkout.Session{card}, "none 1"},
		{"the mapping is removed", nil, with(mapping(func(m *settings.Mapping) { m.Name = "renamed" })),
			[]*checkout.Session{card}, "none 1"},
		{"the mapping was removed before", with(mapping(func(m *settings.Mapping) { m.Name = "renamed" })),
			with(mid("a", closed)), []*checkout.Session{card}, "other first MID 1"},
	} {
		if got := counts(drafted(test.before, test.draft, test.sessions...)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestExamples(t *testing.T) {
	paid := session(4, names("card"), costs("4.00", "EUR"), inTest, func(sess *checkout.Session) {
		sess.PaymentID, sess.FirstPaymentID = "the payment", ""
	})
	all := []*checkout.Session{
		session(1, names("card")), session(2, names("card")), session(3, names("card")), paid, session(5),
	}
	r := drafted(nil, with(mid("a", closed), mid("b", weight(2)), mid("b", closed)), all...)
	if r.Sessions != 5 || r.None.Count != 4 || len(r.None.Examples) != 3 || r.OtherMethods.Count != 1 {
		t.Fatalf("%+v", r)
	}
	none, other := r.None.Examples[0], r.OtherMethods.Examples[0]
	if e := none; e.ID != "the payment" || e.Mode != grant.Test || e.Order != "order-4" || e.Amount != "4.00" ||
		e.Currency != "EUR" || e.Country != "DE" {
		t.Errorf("example %+v", e)
	}
	if got := r.None.Examples[2]; got.ID != all[1].FirstPaymentID || got.Mode != grant.Live {
		t.Errorf("the third one is %+v", got)
	}
	if !reflect.DeepEqual(none.Before, Outcome{"main", []Offered{{"card", []string{"b"}}}, none.After.Reasons[:0]}) ||
		none.After.Mapping != "" || len(none.After.Methods) != 0 {
		t.Errorf("before %+v, after %+v", none.Before, none.After)
	}
	if got := fmt.Sprint(none.After.Reasons); got !=
		"[{disabled The MID is disabled.} {currency The MID does not take this currency.} "+
			"{method The request names other methods.}]" {
		t.Errorf("reasons %s", got)
	}
	if got := none.MIDs; len(got) != 3 || got[0].MID != "a" || got[0].Takes || got[0].Reasons[0].Code != "disabled" ||
		got[2].Takes {
		t.Errorf("MIDs %+v", got)
	}
	if fmt.Sprint(other.Before.Methods) != "[{card [a]} {voucher [shops]}]" ||
		fmt.Sprint(other.After) != "{main [{voucher [shops]}] []}" || !other.MIDs[2].Takes {
		t.Errorf("other methods: %+v", other)
	}
	for name, change := range map[string]func(*settings.Merchant){
		"mapping_removed":   mapping(func(m *settings.Mapping) { m.Name = "renamed" }),
		"merchant_disabled": func(m *settings.Merchant) { m.Disabled = true },
	} {
		e := drafted(nil, with(change), session(1)).None.Examples[0]
		if len(e.After.Reasons) != 1 || e.After.Reasons[0].Code != name || len(e.MIDs) != 0 || e.Before.Mapping != "main" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A method that the page leaves out, since it is for countries with other currencies, is not among those of a MID.
func TestMethodThatThePageLeavesOut(t *testing.T) {
	id := ""
	for _, m := range method.Methods {
		if m.For(method.Purchase) && len(m.Currencies) == 0 && !m.Fits("", "USD") {
			id = m.ID
		}
	}
	more := mid("shops", func(mid *settings.MID) { mid.Methods = append(mid.Methods, id) })
	sess := session(1, func(sess *checkout.Session) { sess.Request.BillingAddress.Country = "" })
	e := drafted(with(more), with(mid("a", closed), mid("b", closed)), sess).OtherMethods.Examples[0]
	if got := fmt.Sprint(e.MIDs[2].Methods, e.After.Methods); got != "[voucher] [{voucher [shops]}]" {
		t.Errorf("%s offered: %s", id, got)
	}
	left := e.MIDs[2].NotOffered
	if len(left) != 1 || left[0].Method != id || left[0].Reasons[0].Code != "method_currency" {
		t.Errorf("not offered %+v", left)
	}
	if got := e.MIDs[0]; len(got.NotOffered) != 0 || len(got.Methods) != 1 {
		t.Errorf("closed MID %+v", got)
	}
}

// What an operator sees of a session has no e-mail address, no name and no address, and lists are never null.
func TestExamplesHaveNothingOfThePayer(t *testing.T) {
	for _, r := range []Result{
		drafted(nil, with(mid("a", closed), mid("b", closed)), session(1), session(2, names("card"))), drafted(nil, nil),
	} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"Ann", "ann@", "Bonn", "A pen"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%q in %s", secret, text)
			}
		}
		if strings.Contains(strings.ReplaceAll(string(text), `"circuit":null`, ""), "null") {
			t.Errorf("null in %s", text)
		}
	}
}

func TestShares(t *testing.T) {
	third := with(mid("a", weight(1)), mid("b", weight(2)))
	euros := session(2, names("card"), costs("1.00", "EUR"))
	for _, test := range []struct {
		name     string
		before   []func(*settings.Merchant)
		sessions []*checkout.Session
		want     string
	}{
		{"no sessions", nil, nil, "[]"},
		{"sure ones", nil, []*checkout.Session{session(1)},
			"[{card main a 10000 3333} {card main b 0 6667} {voucher main shops 10000 10000}]"},
		{"the same", third, []*checkout.Session{session(1, names("card"))},
			"[{card main a 3333 3333} {card main b 6667 6667}]"},
		{"sessions of two currencies", nil, []*checkout.Session{session(1, names("card")), euros},
			"[{card main a 5000 1667} {card main b 5000 8333}]"},
	} {
		if got := fmt.Sprint(drafted(test.before, third, test.sessions...).Shares); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if got := fmt.Sprint(drafted(nil, with(mid("a", closed), mid("b", closed)), session(1)).Shares); got !=
		"[{card main a 10000 0} {voucher main shops 10000 10000}]" {
		t.Errorf("of a method that is lost: %s", got)
	}
}

// some draws at least so many of some texts, in any order.
func some(t *rapid.T, what string, least int, of ...string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(of), least, len(of), rapid.ID).Draw(t, what)
}

// anyShop draws settings with two mappings, whose MIDs differ in what routing looks at.
func anyShop(t *rapid.T) *settings.Merchant {
	anyMID := rapid.Custom(func(t *rapid.T) settings.MID {
		mid := settings.MID{
			Name:       rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"),
			Methods:    some(t, "methods", 1, "card", "voucher"),
			Weight:     rapid.IntRange(0, 3).Draw(t, "weight"),
			Disabled:   rapid.Bool().Draw(t, "disabled"),
			Currencies: some(t, "currencies", 0, "USD", "EUR"),
		}
		if rapid.Bool().Draw(t, "limited") {
			mid.Limits = []settings.Limit{{Currency: "USD", Max: rapid.SampledFrom([]string{"5", "10"}).Draw(t, "max")}}
		}
		return mid
	})
	return shop(func(m *settings.Merchant) {
		m.Disabled = rapid.IntRange(0, 9).Draw(t, "merchant disabled") == 0
		m.Mappings = nil
		for _, name := range some(t, "mappings", 0, "main", "other") {
			mapping := settings.Mapping{Name: name, Disabled: rapid.IntRange(0, 4).Draw(t, "mapping disabled") == 0}
			name := func(mid settings.MID) string { return mid.Name }
			mapping.MIDs = rapid.SliceOfNDistinct(anyMID, 0, 3, name).Draw(t, "mids")
			if rapid.Bool().Draw(t, "rule") {
				mapping.PreRouting = []settings.PreRoute{{Currencies: []string{"EUR"}, Methods: []string{"voucher"}}}
			}
			m.Mappings = append(m.Mappings, mapping)
		}
	})
}

func anySessions(t *rapid.T) (all []*checkout.Session) {
	for n := range rapid.IntRange(0, 12).Draw(t, "sessions") {
		all = append(all, session(n,
			costs(rapid.SampledFrom([]string{"1.00", "7.00", "20.00"}).Draw(t, "amount"),
				rapid.SampledFrom([]string{"USD", "EUR"}).Draw(t, "currency")),
			names(some(t, "named", 0, "card", "voucher")...),
			func(sess *checkout.Session) {
				sess.CreatedAt = paymenttest.At.Add(time.Duration(n/2) * time.Second)
				sess.Request.Test = rapid.Bool().Draw(t, "test")
				sess.Mapping = rapid.SampledFrom([]string{"main", "other"}).Draw(t, "mapping")
			}))
	}
	return all
}

// A draft that is equal to the present settings changes nothing, and loses no payment path.
func TestEqualDraftChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyShop(t)
		draft := m.Clone()
		d := newDraft(m, &draft, anySessions(t))
		r := result(d)
		if got := counts(r); got != "" || len(d.lostPaths()) > 0 {
			t.Errorf("%s, lost %v", got, d.lostPaths())
		}
		for _, share := range r.Shares {
			if share.Before != share.After {
				t.Errorf("%+v", share)
			}
		}
	})
}

// No session both loses and gains methods, and a way back undoes what a draft does. The order of sessions makes no
// difference.
func TestDraftAndItsReverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after, sessions := anyShop(t), anyShop(t), anySessions(t)
		for _, sess := range sessions {
			sess.Mapping = "gone" // which neither has, so that no mapping is removed
		}
		there, back := result(newDraft(before, after, sessions)), result(newDraft(after, before, sessions))
		if there.None.Count != back.Gained.Count || there.Gained.Count != back.None.Count ||
			there.OtherMethods.Count != back.OtherMethods.Count || there.OtherFirstMID.Count != back.OtherFirstMID.Count {
			t.Errorf("there %s, back %s", counts(there), counts(back))
		}
		shuffled := rapid.Permutation(sessions).Draw(t, "order")
		if again := result(newDraft(before, after, shuffled)); !reflect.DeepEqual(there, again) {
			t.Errorf("%+v in another order: %+v", there, again)
		}
	})
}
