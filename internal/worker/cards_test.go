package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/local/golden"
	"checkout/internal/method"
	"checkout/internal/reason"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/wallet/token"
)

// openVault is a vault that hides nothing. It fails at what it is told to.
type openVault struct {
	card.Vault
	fails string
}

func (v openVault) at(what string) error {
	if what == v.fails {
		return errors.New("can't " + what)
	}
	return nil
}

func (v openVault) OpenDayKey(context.Context, card.DayKey) (card.PrivateKey, error) {
	return openKey{}, v.at("open the key")
}

func (v openVault) NewFingerprintKey(context.Context) ([]byte, error) {
	return []byte("wrapped"), v.at("make the key of fingerprints")
}

func (v openVault) OpenFingerprintKey(_ context.Context, wrapped []byte) ([]byte, error) {
	return wrapped, v.at("open the key of fingerprints")
}

func (v openVault) Encrypt(_ context.Context, c card.Card, associated string) (card.Encrypted, error) {
	return card.Encrypted{Key: associated, Ciphertext: c.Number}, v.at("encrypt")
}

func (v openVault) Decrypt(_ context.Context, c card.Encrypted, associated string) (card.Card, error) {
	if c.Key != associated {
		return card.Card{}, card.ErrDecrypt
	}
	return card.Card{Number: c.Ciphertext, ExpiryMonth: 1, ExpiryYear: 2038}, v.at("decrypt")
}

type openKey struct{}

func (openKey) Open(sealed card.Sealed, info string) (c card.Card, err error) {
	if sealed.Enc != info || json.Unmarshal([]byte(sealed.Ciphertext), &c) != nil {
		return card.Card{}, card.ErrDecrypt
	}
	return c, nil
}

// opener opens every token as it is told, and notes what it was asked.
type opener struct {
	token.Opened
	err error
	of  *world
}

func (o opener) OpenToken(_ context.Context, t token.Token) (token.Opened, error) {
	asked := fmt.Sprintf("open %s's %.9s of %s at %s", t.Kind, t.Token, t.Amount, t.SentAt.Format(time.RFC3339))
	for _, it := range []struct {
		is   bool
		what string
	}{
		{t.CardFlow, " in the card flow"}, {t.Provider, " of the provider"}, {t.Test, " of a test"},
		{t.SessionID == "", " without a page"}, {t.Settings.GooglePay != nil, " with settings"},
	} {
		if it.is {
			asked += it.what
		}
	}
	o.of.requests = append(o.of.requests, asked)
	return o.Opened, o.err
}

// aSession is the session of a payment with a page.
var aSession = store.NewSessionID(store.OrderHash("live/shop", "1"), storedAt, make([]byte, 20))

const (
	dayKey     = "2030-03-04.key"
	visa       = "4111111111111111"
	mastercard = "5555555555554444"
)

// seals has the payer's browser seal a card to a key, for a session.
func seals(c card.Card, keyID, session string) func(*world) {
	return func(w *world) {
		info := payment.SealInfo(fault.Owner{Merchant: "shop"}, session)
		text, err := json.Marshal(c)
		if err == nil {
			p := &payment.Payment{ID: chargeID, Times: payment.Times{CreatedAt: storedAt.Add(time.Hour)}} // it is deleted late
			err = w.core.Store.Save(w.t.Context(), storedAt, payment.SealedRecord(p, &card.Sealed{KeyID: keyID, Enc: info,
				Ciphertext: string(text)}))
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// entered is a card that the payer has entered on the page, changed.
func entered(changes ...func(*card.Card)) func(*world) {
	c := card.Card{Number: visa, ExpiryMonth: 3, ExpiryYear: 2030, SecurityCode: "123"}
	for _, change := range changes {
		change(&c)
	}
	return seals(c, dayKey, aSession)
}

// onPage makes a charge one whose payer has entered something on the page, of a method.
func onPage(id string, changes ...func(*payment.Payment)) func(*payment.Payment) {
	return with(func(p *payment.Payment) {
		p.SessionID, p.Method = aSession, id
		job(p, payment.JobCharge, "").Sealed = true
	}, with(changes...))
}

// saved makes a charge one of a saved card, without a page.
func saved(changes ...func(*payment.Payment)) func(*payment.Payment) {
	return with(charge, func(p *payment.Payment) {
		p.Method, p.Operation, p.SavedCard = method.Card, method.Debit, "token"
	}, with(changes...))
}

// keeps has a saved card stored, changed.
func keeps(changes ...func(*card.Saved)) func(*world) {
	return func(w *world) {
		c := card.Saved{Token: "token", Owner: fault.Owner{Merchant: "shop"}, CreatedAt: storedAt}
		c.View.ExpiryMonth, c.View.ExpiryYear, c.View.PANType = 1, 2038, card.PANOfCard
		c.Encrypted = &card.Encrypted{Key: c.AssociatedData(), Ciphertext: mastercard}
		for _, change := range changes {
			change(&c)
		}
		if err := w.core.Store.Save(w.t.Context(), storedAt, c.Record()); err != nil {
			w.t.Fatal(err)
		}
	}
}

func vaultFails(at string) func(*world) { return func(w *world) { w.Vault = openVault{fails: at} } }

// google is a charge of a token of Google Pay.
func google(changes ...func(*payment.Payment)) func(*payment.Payment) {
	return onPage(method.GooglePay, append(changes, func(p *payment.Payment) { bothOthers(&p.Jobs[0]) })...)
}

// ofWallet has a wallet's token opened, as MIDs take it. All tokens end at a time.
func ofWallet(can settings.WalletSupport, opened token.Opened, changes ...func(*token.Opened)) func(*world) {
	for _, change := range changes {
		change(&opened)
	}
	return first(set(func(m *settings.Merchant) {
		m.Wallets.GooglePay = &settings.GooglePay{PublicKeys: []string{"key"}}
	}), seals(card.Card{Token: "its token"}, dayKey, aSession), func(w *world) {
		w.Wallets = opener{opened, nil, w}
		for name, d := range w.core.Declarations {
			d.Wallets = map[string]settings.WalletSupport{method.GooglePay: can}
			w.core.Declarations[name] = d
		}
	})
}

func savesIt(p *payment.Payment) { p.ReqToken = true }

func lastsUntil(t time.Time) func(*token.Opened) {
	return func(o *token.Opened) { o.Until = t }
}

func unauthenticated(o *token.Opened) { o.Unauthenticated = true }

// secure has a connector send payers to 3-D Secure.
func secure(name string) func(*world) {
	return func(w *world) {
		d := w.core.Declarations[name]
		d.ThreeDSecure = true
		w.core.Declarations[name] = d
	}
}

// used has another payment have used the token.
func used(mode func(*payment.Payment), by string) func(*world) {
	return func(w *world) {
		p := &payment.Payment{}
		p.Method = method.GooglePay
		mode(p)
		record := store.Encode(tokenKey(p, "its id"), 0, walletUse{by})
		record.ExpiresAt = storedAt.Add(time.Hour)
		if err := w.core.Store.Save(w.t.Context(), storedAt, record); err != nil {
			w.t.Fatal(err)
		}
	}
}

func unchanged(*payment.Payment) {}

// What wallets' tokens are taken as.
var (
	asCards  = settings.WalletSupport{CardFlow: true, Decrypted: true}
	asBoth   = settings.WalletSupport{CardFlow: true}
	asTokens = settings.WalletSupport{}
	itsCard  = token.Opened{ID: "its id", Token: "{}", Holder: "Al Doe", Card: card.Card{Number: mastercard,
		ExpiryMonth: 1, ExpiryYear: 2038, PANType: card.PANOfDevice, Cryptogram: "c", ECI: "05"}}
)

var cardSendings = []struct {
	name string
	rows []sending
}{
	{"a card that the payer enters", []sending{
		{name: "is good", before: entered(), make: onPage(method.Card)},
		{name: "is none", make: onPage(method.Card, func(p *payment.Payment) { p.Jobs[0].Sealed = false }),
			says: []reply{notFound}},
		{name: "is not stored any more", make: onPage(method.Card), says: []reply{notFound}},
		{name: "is not stored any more, and was charged", make: onPage(method.Card)},
		{name: "is not stored any more, and nobody says whether it was charged", make: onPage(method.Card),
			says: []reply{silent}},
		{name: "is not stored any more, and nobody says so for long", says: []reply{silent}, make: onPage(method.Card,
			func(p *payment.Payment) { p.Jobs[0].Tries = maxSends - 1 })},
		{name: "is not stored any more, and was charged, as is said at last", make: onPage(method.Card,
			func(p *payment.Payment) { p.Jobs[0].Tries = maxSends })},
		{name: "is not stored any more, and was not found, with an error", make: onPage(method.Card),
			says: []reply{{result: notFound.result, err: silent.err}}},
		{name: "is not stored any more, and nobody says so for less long", says: []reply{silent}, make: onPage(method.Card,
			func(p *payment.Payment) { p.Jobs[0].Tries = maxSends - 2 })},
		{name: "is not stored any more, and nobody says so until it has to be found", says: []reply{silent},
			make: onPage(method.Card, func(p *payment.Payment) {
				p.Jobs[0].Tries, p.Jobs[0].FoundBy = maxSends, storedAt.Add(time.Second)
			})},
		{name: "is not stored any more, and nobody says so before it has to be found", says: []reply{silent},
			make: onPage(method.Card, func(p *payment.Payment) {
				p.Jobs[0].Tries, p.Jobs[0].FoundBy = maxSends, storedAt.Add(time.Second+1)
			})},
		{name: "is not stored any more, and its provider can't be asked", make: onPage(method.Card, isBlind)},
		{name: "is not stored any more, and was not received", says: []reply{notFound}, make: onPage(method.Card,
			func(p *payment.Payment) { sent(&p.Jobs[0]).SentAt = storedAt.Add(-time.Hour) })},
		{name: "is not stored any more, and its circuit breaker is open", before: fail(5, 0, midOne),
			make: onPage(method.Card, func(p *payment.Payment) { bothOthers(&p.Jobs[0]) })},
		{name: "can just be sent", before: entered(), make: onPage(method.Card), after: payment.SealedTTL - 1},
		{name: "can't be sent any more", before: entered(), make: onPage(method.Card), after: payment.SealedTTL,
			says: []reply{notFound}},
		{name: "is of another session", before: seals(card.Card{Number: visa}, dayKey, "another"),
			make: onPage(method.Card)},
		{name: "is sealed to an old key", before: seals(card.Card{Number: visa}, "2030-03-02.key", aSession),
			make: onPage(method.Card)},
		{name: "can't be opened now", before: first(entered(), vaultFails("open the key")), make: onPage(method.Card)},
		{name: "has a wrong number", before: entered(func(c *card.Card) { c.Number = "4111111111111112" }),
			make: onPage(method.Card)},
		{name: "has expired", before: entered(func(c *card.Card) { c.ExpiryMonth = 2 }), make: onPage(method.Card)},
		{name: "has no security code", before: entered(func(c *card.Card) { c.SecurityCode = "" }),
			make: onPage(method.Card)},
		{name: "has a wrong security code", before: entered(func(c *card.Card) { c.SecurityCode = "12" }),
			make: onPage(method.Card)},
		{name: "gets a payout, without a security code", before: entered(func(c *card.Card) { c.SecurityCode = "" }),
			make: onPage(method.Card, func(p *payment.Payment) { p.Operation = method.Credit })},
		{name: "gets a payout, with a wrong security code", before: entered(func(c *card.Card) { c.SecurityCode = "12" }),
			make: onPage(method.Card, func(p *payment.Payment) { p.Operation = method.Credit })},
		{name: "pays with another one's number", before: entered(func(c *card.Card) { c.PayeeNumber = mastercard }),
			make: onPage(method.Card)},
		{name: "transfers to another one", before: entered(func(c *card.Card) { c.PayeeNumber = mastercard }),
			make: onPage(method.Card, func(p *payment.Payment) { p.Operation = method.Transfer })},
		{name: "transfers to none", before: entered(), make: onPage(method.Card,
			func(p *payment.Payment) { p.Operation = method.Transfer })},
		{name: "is to be saved", before: entered(), make: onPage(method.Card, savesIt,
			func(p *payment.Payment) { p.Jobs[0].CardName = "Al Doe" }), says: []reply{silent}},
		{name: "starts a chain", before: entered(), make: onPage(method.Card, func(p *payment.Payment) {
			p.RecurringInit = true
		}), says: []reply{silent}},
		{name: "is to be saved, and was encrypted before", before: entered(), make: onPage(method.Card, savesIt,
			func(p *payment.Payment) { p.CardToSave = &card.Saved{Token: "token"} }), says: []reply{silent}},
		{name: "can't be encrypted now", before: first(entered(), vaultFails("encrypt")), make: onPage(method.Card, savesIt)},
		{name: "is of a payment with another job", before: entered(), make: with(charged(authorised), onPage(method.Card,
			func(p *payment.Payment) { p.Jobs[0].Kind, p.Jobs[0].Sealed = payment.JobVoid, false }))},
	}},
	{"a voucher", []sending{
		{name: "is good", before: seals(card.Card{Values: map[string]string{"pin": "12 34", "otp": "1"}}, dayKey, aSession),
			make: onPage("voucher")},
		{name: "has no PIN", before: seals(card.Card{}, dayKey, aSession), make: onPage("voucher")},
		{name: "came with the session", make: onPage("voucher", func(p *payment.Payment) {
			p.Jobs[0].Sealed, p.Parameters = false, json.RawMessage(`{"voucher":{"pin":"12"}}`)
		})},
	}},
	{"a saved card", []sending{
		{name: "is charged", before: keeps(), make: saved()},
		{name: "is charged with a security code", before: first(keeps(), entered()), make: saved(
			func(p *payment.Payment) { p.SessionID, p.Jobs[0].Sealed = aSession, true })},
		{name: "has a wrong security code", before: first(keeps(), entered(func(c *card.Card) { c.SecurityCode = "12" })),
			make: saved(func(p *payment.Payment) { p.SessionID, p.Jobs[0].Sealed = aSession, true })},
		{name: "transfers", before: first(keeps(), entered(func(c *card.Card) { c.PayeeNumber = visa })), make: saved(
			func(p *payment.Payment) {
				p.SessionID, p.Jobs[0].Sealed, p.Operation = aSession, true, method.Transfer
			})},
		{name: "is gone", make: saved()},
		{name: "has no card", before: keeps(func(c *card.Saved) { c.Encrypted = nil }), make: saved()},
		{name: "is of another merchant", before: keeps(func(c *card.Saved) { c.Merchant = "other" }), make: saved()},
		{name: "is of the test key", before: keeps(func(c *card.Saved) { c.Test = true }), make: saved()},
		{name: "was removed before", before: keeps(func(c *card.Saved) { c.RemovedAt = storedAt.Add(-1) }), make: saved()},
		{name: "was removed since", before: keeps(func(c *card.Saved) { c.RemovedAt = storedAt }), make: saved()},
		{name: "was removed, but is of a chain", before: keeps(func(c *card.Saved) { c.RemovedAt = storedAt.Add(-1) }),
			make: saved(func(p *payment.Payment) { p.Recurring = true })},
		{name: "is encrypted for another", before: keeps(func(c *card.Saved) { c.Encrypted.Key = "other" }), make: saved()},
		{name: "can't be decrypted now", before: first(keeps(), vaultFails("decrypt")), make: saved()},
		{name: "can just be sent", before: keeps(), make: saved(), after: 24*time.Hour - 1},
		{name: "can't be sent any more", before: keeps(), make: saved(), after: 24 * time.Hour, says: []reply{notFound}},
		{name: "can't be sent any more from a page", before: keeps(), after: payment.SealedTTL, says: []reply{notFound},
			make: saved(func(p *payment.Payment) { p.SessionID = aSession })},
		{name: "of a wallet, in a chain", before: keeps(), make: saved(func(p *payment.Payment) {
			p.Method, p.Recurring = method.GooglePay, true
		})},
		{name: "is saved again", before: keeps(), make: saved(savesIt)},
	}},
	{"a wallet's token", []sending{
		{name: "is passed on", before: ofWallet(asTokens, token.Opened{Token: "{}"}), make: google()},
		{name: "is passed on with its card", before: ofWallet(asBoth, itsCard), make: google()},
		{name: "is decrypted", before: ofWallet(asCards, itsCard), make: google()},
		{name: "is of the provider",
			before: ofWallet(settings.WalletSupport{ProviderTokens: true}, token.Opened{Token: "{}"}),
			make:   google()},
		{name: "has the name that the merchant knows", before: ofWallet(asCards, itsCard), make: google(
			func(p *payment.Payment) { p.Jobs[0].CardName = "Bo Doe" })},
		{name: "came with the session", before: ofWallet(asCards, itsCard), make: google(
			func(p *payment.Payment) { p.TokenSent = true })},
		{name: "is none", before: first(ofWallet(asCards, itsCard), remove, entered()), make: google()},
		{name: "is just short enough", make: google(), before: first(ofWallet(asCards, itsCard), remove,
			seals(card.Card{Token: strings.Repeat("x", card.MaxToken)}, dayKey, aSession))},
		{name: "is too long", make: google(), before: first(ofWallet(asCards, itsCard), remove,
			seals(card.Card{Token: strings.Repeat("x", card.MaxToken+1)}, dayKey, aSession))},
		{name: "is refused", before: first(ofWallet(asCards, itsCard), refuses(&token.Error{
			Reason: reason.TokenInvalid, Text: "It is old."})), make: google()},
		{name: "can't be opened now", before: first(ofWallet(asCards, itsCard), refuses(errors.New("no roots"))),
			make: google()},
		{name: "has a wrong number", before: ofWallet(asCards, token.Opened{Card: card.Card{Number: "1"}}), make: google()},
		{name: "is to be saved", before: ofWallet(asCards, itsCard), make: google(savesIt,
			func(p *payment.Payment) { p.Jobs[0].CardName = "Bo Doe" }), says: []reply{silent}},
		{name: "can't be encrypted now", before: first(ofWallet(asCards, itsCard), vaultFails("encrypt")),
			make: google(savesIt)},
		{name: "is declined softly", before: ofWallet(asCards, itsCard), make: google(), says: []reply{softly}},
		{name: "is declined softly where it was passed on", before: ofWallet(asBoth, itsCard), make: google(),
			says: []reply{softly}},
		{name: "was used by another payment", before: first(ofWallet(asCards, itsCard), used(unchanged, "other")),
			make: google()},
		{name: "was used by another payment, with the test key", before: first(ofWallet(asCards, itsCard),
			used(ofTest, "other")), make: google()},
		{name: "was used by the payment", before: first(ofWallet(asCards, itsCard), used(unchanged, chargeID)),
			make: google()},
		{name: "lasts longer than its use is known", make: google(),
			before: ofWallet(asCards, itsCard, lastsUntil(storedAt.Add(8*24*time.Hour)))},
		{name: "of a later payment of a chain", make: with(charge, func(p *payment.Payment) {
			p.Method, p.Recurring = method.GooglePay, true
		})},
	}},
	{"a card that the wallet has not authenticated the payer for", []sending{
		{name: "goes to 3-D Secure", before: first(ofWallet(asCards, itsCard, unauthenticated), secure("bank")),
			make: google()},
		{name: "goes to another MID with 3-D Secure", before: first(ofWallet(asCards, itsCard, unauthenticated),
			secure("other")), make: google()},
		{name: "may not be charged at the next MID", before: first(ofWallet(asCards, itsCard, unauthenticated),
			secure("bank")), make: google(), says: []reply{softly}},
		{name: "is charged nowhere", before: ofWallet(asCards, itsCard, unauthenticated), make: google()},
		{name: "is charged at the risk of the merchant", before: first(ofWallet(asCards, itsCard, unauthenticated),
			set(func(m *settings.Merchant) {
				m.Wallets.GooglePay = &settings.GooglePay{PublicKeys: []string{"key"}, WithoutThreeDSecure: true}
			})), make: google()},
		{name: "was looked up before", before: first(ofWallet(asCards, itsCard, unauthenticated), secure("other")),
			make: google(func(p *payment.Payment) { p.Jobs[0].LookUps = 1 })},
		{name: "whose payer was shown something", before: first(ofWallet(asCards, itsCard, unauthenticated),
			secure("other")), make: google(atBank, func(p *payment.Payment) { p.Status = payment.StatusPrepare })},
		{name: "whose payer has acted", before: first(ofWallet(asCards, itsCard, unauthenticated), secure("other")),
			make: google(func(p *payment.Payment) { p.Status = payment.StatusRedirect })},
	}},
}

// remove removes the sealed card.
func remove(w *world) {
	w.t.Helper()
	gone := store.Record{Key: store.SealedCardKey(chargeID), Delete: true}
	if err := w.core.Store.Save(w.t.Context(), w.now, gone); err != nil {
		w.t.Fatal(err)
	}
}

func refuses(err error) func(*world) {
	return func(w *world) {
		o := w.Wallets.(opener)
		o.err = err
		w.Wallets = o
	}
}

// Which cards and tokens are charged, what a provider gets of them and what is kept: testdata/cards.golden.
func TestCards(t *testing.T) {
	table := golden.Table{}
	for _, part := range cardSendings {
		table.Begin(part.name)
		for _, row := range part.rows {
			table.Add(row.name, row.run(t, true))
		}
	}
	golden.Compare(t, "testdata/cards.golden", table.Text(), *update)
}
