package story

import (
	"slices"
	"testing"
	"time"

	"checkout/internal/settings"
)

// threeBanks opens a world whose first three MIDs have a provider each.
func threeBanks(t *testing.T) (*World, []*provider) {
	banks := []*provider{{}, {}, {}}
	w := open(t, mids("", "", ""))
	w.goesLive(banks[0])
	w.connects(anotherBank, banks[1])
	w.connects("third-bank", banks[2])
	w.declares("third-bank", w.app.Core.Declarations[realBank])
	w.shop.set(func(m *settings.Merchant) {
		m.Mappings[0].MIDs[1].Connector, m.Mappings[0].MIDs[2].Connector = anotherBank, "third-bank"
	})
	w.skip(time.Minute)
	return w, banks
}

// charged returns how many charges each provider got.
func charged(banks []*provider) (n []int) {
	for _, b := range banks {
		n = append(n, len(b.charges))
	}
	return n
}

// A charge whose provider is not reached goes to the next MID at once, with its card and the same reference.
func TestMIDNotReached(t *testing.T) {
	w, banks := threeBanks(t)
	banks[0].charge, banks[1].charge = down, down
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("settled")
	if got := charged(banks); !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("charges %v", got)
	}
	p, last := payer.payment(), banks[2].charges[0]
	wholeCard := last.Card.Number == TestCard && last.Card.SecurityCode == securityCode
	if p.MID != "mid-3" || p.Connector != "third-bank" || len(p.Transactions) != 1 || last.Reference != p.ID ||
		!wholeCard || last.NoticeURL == banks[0].charges[0].NoticeURL {
		t.Errorf("%s of %s, transactions %+v, notices to %s", p.MID, p.Connector, p.Transactions, last.NoticeURL)
	}
	w.shop.told("sale success settled")
	w.sealedAre(0)
}
