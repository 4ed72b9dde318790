package preview

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/method"
	"checkout/internal/settings"
)

func TestWarnings(t *testing.T) {
	card, any, euros := session(1, names("card")), session(2), session(3, names("card"), costs("7.00", "EUR"))
	only := func(change func(*settings.MID)) []func(*settings.Merchant) { return with(mid("b", change)) }
	debits := with(mid("b", func(mid *settings.MID) {
		mid.Operations = []method.Operation{method.Purchase, method.Debit}
	}))
	of := func(mapping string) func(*checkout.Session) {
		return func(sess *checkout.Session) { sess.Mapping = mapping }
	}
	rule := func(methods ...string) func(*settings.Merchant) {
		return mapping(func(m *settings.Mapping) {
			m.PreRouting = []settings.PreRoute{{Currencies: []string{"EUR"}, Methods: []string{"card"}}, {Methods: methods}}
		})
	}
	usd := func(least, most string) func(*settings.MID) {
		return limit(settings.Limit{Currency: "USD", Min: least, Max: most})
	}
	for _, test := range []struct {
		name     string
		draft    []func(*settings.Merchant)
		sessions []*checkout.Session
		want     []string
	}{
		{"nothing", nil, []*checkout.Session{card, any, euros}, nil},
		{"a limit that none exceeds", only(usd("10", "10.00")), []*checkout.Session{card, any, euros}, nil},
		{"a low limit", only(usd("", "9.99")),
			[]*checkout.Session{card, any, euros, session(4, costs("9.99", "USD")), session(5, costs("", "USD"))},
			[]string{"mappings[main].mids[b].limits[USD].max 2: Sessions in USD that are above it: 2 of 3."}},
		{"a high minimum", only(usd("10.01", "20")), []*checkout.Session{card, session(4, costs("10.01", "USD"))},
			[]string{"mappings[main].mids[b].limits[USD].min 1: Sessions in USD that are below it: 1 of 2."}},
		{"a limit for another operation", only(func(mid *settings.MID) {
			mid.Operations = []method.Operation{method.Credit}
			usd("", "1")(mid)
		}), []*checkout.Session{card}, nil},
		{"a limit of sessions of another mapping", only(usd("", "1")),
			[]*checkout.Session{session(1, of("other"))}, nil},
		{"a limit of a closed MID", with(mid("b", usd("", "1")), mid("b", closed)), []*checkout.Session{card}, nil},
		{"a rule for a method of no MID", with(rule("voucher", "pix")), []*checkout.Session{card, any, euros}, []string{
			"mappings[main].pre_routing[1].methods[pix] 1: " + textNoMID + "Sessions that the rule is for: 1."}},
		{"a method of a closed MID alone", with(mid("shops", closed)), []*checkout.Session{card, any, any}, []string{
			"mappings[main].mids[shops].methods[voucher] 2: " + textNoMID + "Sessions that had it: 2."}},
		{"a method of two closed MIDs", with(mid("a", closed), mid("b", closed)), []*checkout.Session{any}, []string{
			"mappings[main].mids[a].methods[card] 1: " + textNoMID + "Sessions that had it: 1."}},
		{"a closed MID with a method of another one", with(mid("a", closed)), []*checkout.Session{card}, nil},
		{"all MIDs are closed", with(mid("a", closed), mid("b", closed), mid("shops", closed), rule("pix")),
			[]*checkout.Session{session(1, inTest)},
			[]string{"mappings[main].mids 1: The mapping has no enabled MID. Sessions that it took: 1."}},
		{"no MIDs in a disabled mapping", with(mapping(func(m *settings.Mapping) { m.MIDs, m.Disabled = nil, true })),
			[]*checkout.Session{session(1, inTest)}, nil},
		{"a weight of a closed MID", with(mid("a", weight(30)), mid("a", closed)), nil,
			[]string{"mappings[main].mids[a].weight 30: The MID is closed, so that its weight of 30 counts for nothing."}},
		{"a path that is lost", with(mid("b", closed)), []*checkout.Session{card, any, euros, euros}, []string{
			"mappings[main] 2: No MID takes the mapping's live sessions of purchase in EUR any more: 2."}},
		{"paths that are lost", with(mid("a", closed), mid("b", closed), mid("shops", func(mid *settings.MID) {
			mid.Operations = []method.Operation{method.Transfer}
		})), []*checkout.Session{
			session(1), session(2, costs("1", "EUR")), session(3, costs("1", "PLN")), session(4, of("z")), session(5, of("y")),
			session(6, of("z"), func(sess *checkout.Session) { sess.Request.Operation = method.Debit }),
		}, []string{
			"mappings[main].mids[a].methods[card] 3: " + textNoMID + "Sessions that had it: 3.",
			"mappings[main] 1: No MID takes the mapping's live sessions of purchase in EUR any more: 1.",
			"mappings[main] 1: No MID takes the mapping's live sessions of purchase in PLN any more: 1.",
			"mappings[main] 1: No MID takes the mapping's live sessions of purchase in USD any more: 1.",
			"mappings[y] 1: No MID takes the mapping's live sessions of purchase in USD any more: 1.",
			"mappings[z] 1: No MID takes the mapping's live sessions of debit in USD any more: 1.",
			"mappings[z] 1: No MID takes the mapping's live sessions of purchase in USD any more: 1.",
		}},
		{"a path that a part can use", with(mid("b", closed)),
			[]*checkout.Session{euros, session(4, costs("7.00", "EUR"))}, nil},
		{"a path of test sessions", with(mid("b", closed)),
			[]*checkout.Session{session(1, names("card"), costs("7.00", "EUR"), inTest)}, nil},
		{"a mapping that is removed", with(mapping(func(m *settings.Mapping) { m.Name = "renamed" })),
			[]*checkout.Session{card}, []string{
				"mappings[main] 1: No MID takes the mapping's live sessions of purchase in USD any more: 1."}},
	} {
		var got []string
		for _, w := range drafted(debits, test.draft, test.sessions...).Warnings {
			got = append(got, fmt.Sprintf("%s %d: %s", w.Path, w.Number, w.Text))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %s\nwant %s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}
