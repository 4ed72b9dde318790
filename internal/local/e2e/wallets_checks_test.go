package e2e

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/merchant"
)

// private are parts of tokens and keys that must not be found anywhere.
type private struct {
	mu     sync.Mutex
	parts  []string
	tokens [][2]string // of each token a part that no other has, and its cryptogram
}

// partOfToken finds the keys, signatures and encrypted texts of a token.
var partOfToken = regexp.MustCompile(`[A-Za-z0-9+/=]{24,}`)

func (p *private) add(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parts = append(p.parts, part)
}

func (p *private) addToken(token, cryptogram string) {
	parts := partOfToken.FindAllString(token, -1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tokens = append(p.tokens, [2]string{parts[0], cryptogram})
	p.parts = append(p.parts, cryptogram)
	for _, part := range parts {
		p.parts = append(p.parts, part[max(0, len(part)-40):]) // keys begin alike
	}
}

func (p *private) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.parts
}

// walletsAgree checks what is special about payments by wallets: a token is used for one payment, and what the merchant
// is told of it.
func (w *providerWorld) walletsAgree(buyers []*buyer) {
	w.t.Helper()
	for _, b := range buyers {
		for _, p := range w.payments(b.order) {
			w.walletAgrees(b, p)
		}
	}
	w.tokensUsedOnce()
}

func (w *providerWorld) walletAgrees(b *buyer, p merchant.PaymentObject) {
	w.t.Helper()
	wallet, want := "", card.PANType("")
	if b.plan != nil {
		wallet = string(b.plan.kind)
	}
	switch {
	case wallet == "" || b.plan.virtual():
	case b.plan.panOnly:
		want = "fpan"
	default:
		want = card.PANOfDevice
	}
	refused := p.Status == payment.StatusDecline && p.PANType == "" // before the token was decrypted
	if p.DigitalWallet != wallet || p.PANType != want && !refused {
		w.t.Errorf("%s was paid by %q with a %q, want %q and %q", b.order, p.DigitalWallet, p.PANType, wallet, want)
	}
	for _, r := range w.shop.received() {
		if f := r.Fields; f.Get("id") == p.PaymentID && f.Get("type") == "sale" && f.Get("status") == "success" &&
			(f.Get("digital_wallet") != wallet || f.Get("pan_type") != string(want)) {
			w.t.Errorf("%s was told: paid by %q with a %q", b.order, f.Get("digital_wallet"), f.Get("pan_type"))
		}
	}
	if b.plan == nil || b.fate() == "" {
		return
	}
	if charged := chargesOf(p.PaymentID, w.sim.Operations()); len(charged) > 0 || p.Status != payment.StatusDecline {
		w.t.Errorf("%s, whose token %s, is %s, and the provider has %d charges", b.order, b.fate(), p.Status, len(charged))
	}
}

// fate says why the order's tokens must not be charged, "" for no reason.
func (b *buyer) fate() string {
	switch {
	case b.plan.late:
		return "has come late"
	case b.plan.panOnly && (b.plan.channel == noCheck || b.plan.end == softEnd):
		return "needs 3-D Secure"
	}
	return ""
}

// walletsPaid checks that a run has had payments of both flows, and a token that was refused because it was used. The
// keys are MIDs with statuses.
func (w *providerWorld) walletsPaid(wallets map[string]int) {
	w.t.Helper()
	paid := func(mids ...string) (n int) {
		for what, times := range wallets {
			mid, status, _ := strings.Cut(what, " ")
			if slices.Contains(mids, mid) && !strings.HasPrefix(status, string(payment.StatusDecline)) {
				n += times
			}
		}
		return n
	}
	if paid("cards-1", "cards-2") == 0 || paid("tokens-1", "brand") == 0 {
		w.t.Error("the run lacks a payment by a wallet in one of the flows")
	}
	if wallets["cards-1 decline token_used"]+wallets["tokens-1 decline token_used"] == 0 {
		w.t.Error("the run has no token that was used before")
	}
}

// tokensUsedOnce checks that no two payments were sent to providers with the same token.
func (w *providerWorld) tokensUsedOnce() {
	w.t.Helper()
	users := make([]string, len(w.private.tokens)) // references, by token
	for _, r := range w.sim.Requests() {
		if r.Method != "POST" || !strings.Contains(r.Path, "/charge") && !strings.Contains(r.Path, "/payments") {
			continue
		}
		var charge struct {
			Reference     string
			TransactionID string `json:"transaction_id"`
		}
		_ = json.Unmarshal([]byte(r.Body), &charge) // of Stripe it is a form, which has no token
		reference := charge.Reference + charge.TransactionID
		for i, token := range w.private.tokens {
			if !strings.Contains(r.Body, token[0]) && !strings.Contains(r.Body, token[1]) {
				continue
			}
			payment := reference[:min(len(reference), 36)]
			if users[i] != "" && users[i] != payment {
				w.t.Errorf("one token was sent for the payments %s and %s", users[i], payment)
			}
			users[i] = payment
		}
	}
}
