package story

import (
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/settings"
)

// A schedule that began with a wallet charges the number that the wallet gave, without its cryptogram, if the payer
// agreed on the page. Without consent it is a plain purchase.
func TestScheduleOfAWallet(t *testing.T) {
	for _, kind := range walletKinds {
		for _, agrees := range []bool{true, false} {
			w, bank := decryptedRow.opens(t, monthly(nil))
			payer := w.shop.visits("pen-1", with("recurring_init", true), with("schedule_id", "monthly"),
				with("recurring_consent_required", true))
			pay := payer.hands(kind, w.Token(kind, payer.Content("01/38"), ""))
			if agrees {
				pay.Fields["recurring_consent"] = "true"
			}
			payer.send(pay)
			w.work()
			payer.is("settled")
			if first := bank.charges[0]; first.StartsChain != agrees || first.Card.Cryptogram == "" {
				t.Errorf("%s: the first charge starts a chain: %v", kind, first.StartsChain)
			}
			w.pass(32 * 24 * time.Hour)
			if !agrees {
				if len(bank.charges) != 1 {
					t.Errorf("%s: %d charges without consent", kind, len(bank.charges))
				}
				continue
			}
			if len(bank.charges) != 2 {
				t.Fatalf("%s: %d charges", kind, len(bank.charges))
			}
			later := bank.charges[1]
			if !later.Recurring || later.Card.Number != TestCard || later.Card.Cryptogram != "" ||
				later.Card.PANType != card.PANOfDevice || later.Wallet == nil || later.Wallet.Token != "" {
				t.Errorf("%s: later charge by %+v, a card of type %q", kind, later.Wallet, later.Card.PANType)
			}
			told := w.shop.last("recurring").Fields
			if told.Get("digital_wallet") != string(kind) || told.Get("pan_type") != "dpan" {
				t.Errorf("callback %v", told)
			}
		}
	}
}

// Settings that change between the click and the charge: a wallet whose settings are removed declines the payment.
func TestSettingsOfAWalletAreRemoved(t *testing.T) {
	for _, kind := range walletKinds {
		w, bank := decryptedRow.opens(t)
		payer := w.shop.visits("pen-1")
		payer.send(payer.hands(kind, w.Token(kind, payer.Content("01/38"), "")))
		w.shop.set(func(m *settings.Merchant) { m.Wallets = settings.Wallets{} })
		w.clock.Move(2 * time.Minute)
		w.work()
		_, status := w.shop.status("order_id", "pen-1")
		if status["status"] != "decline" || len(bank.charges) != 0 {
			t.Errorf("%s: %v, %d charges", kind, status, len(bank.charges))
		}
	}
}
