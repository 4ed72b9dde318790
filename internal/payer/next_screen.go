package payer

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// NextScreen returns what the checkout page has to show for a session now. It changes nothing, and takes one read while
// merchant and public key are in memory. Errors: CodeNotFound.
func (s *Page) NextScreen(ctx context.Context, sessionID string) (screen.Screen, error) {
	now := s.core.Now()
	sess, err := s.core.Session(ctx, now, sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	return s.screen(ctx, now, sess)
}

// screen returns what the payer sees of a session.
func (s *Page) screen(ctx context.Context, now time.Time, sess *checkout.Session) (screen.Screen, error) {
	m, err := s.core.Merchant(ctx, sess.Request.Merchant, now)
	if err != nil {
		return screen.Screen{}, err
	}
	if m == nil {
		m = &settings.Merchant{} // it was removed, so that nothing is appended to its addresses
		page := screen.Screen{Language: "en", BrowserLanguage: true}
		page = endScreen(page, sess, sess.Request.ErrorURL, screen.TextTechnicalProblem)
		return withWayBack(page, sess, m), nil
	}
	page, err := s.screenOf(ctx, now, sess, m)
	return withLeave(withWayBack(page, sess, m), m.MappingNamed(sess.Mapping), sess), err
}

// screenOf returns what the payer of a merchant sees of a session.
func (s *Page) screenOf(
	ctx context.Context, now time.Time, sess *checkout.Session, m *settings.Merchant,
) (screen.Screen, error) {
	mapping := m.MappingNamed(sess.Mapping)
	page := firstOf(m, mapping, sess)
	switch sess.StateAt(now) {
	case checkout.SessionOpen:
		return s.formScreen(ctx, page, sess, m)
	case checkout.SessionHeld:
		return heldScreen(page), nil
	case checkout.SessionProcessing:
		return withAnother(waitScreen(now, page, sess), sess, m), nil
	case checkout.SessionComplete:
		page = endScreen(page, sess, returnURL(sess.Request.SuccessURL, m, mapping, sess), screen.TextPaid)
		page.Message.Reason = sess.Reason.ForPayer()
		return page, nil
	case checkout.SessionDeclined:
		page = endScreen(page, sess, cancelURL(m, mapping, sess), screen.TextTooManyDeclines)
		page.Kind, page.Message.Reason = screen.KindMessage, sess.Reason.ForPayer()
		if sess.Instructed {
			page.Message.Text = screen.TextDeclinedElsewhere
		}
	case checkout.SessionCancelled:
		page = endScreen(page, sess, cancelURL(m, mapping, sess), screen.TextCancelled)
		if sess.Instructed {
			page.Kind, page.Message.Text = screen.KindMessage, screen.TextCancelledElsewhere
		}
	default:
		page = endScreen(page, sess, returnURL(sess.Request.ExpiryURL, m, mapping, sess), screen.TextExpired)
	}
	// Money that arrived and did not pay is shown as a message, not followed by a redirect before the payer has read it.
	switch {
	case sess.UnappliedMoney == screen.TextPaidTooLate || sess.UnappliedMoney != "" &&
		sess.State != checkout.SessionCancelled:
		page.Kind, page.Message = screen.KindMessage, sess.DeclineMessage(sess.UnappliedMoney)
	case sess.IsHeld():
		page.Kind, page.Message = screen.KindMessage, &screen.Message{Text: screen.TextCheckingFirst}
	}
	return page, nil
}

// firstOf returns what all screens of a session have.
func firstOf(m *settings.Merchant, mapping *settings.Mapping, sess *checkout.Session) screen.Screen {
	page := screen.Screen{
		Operation: sess.Request.Operation, Language: cmp.Or(sess.Request.Language, mapping.Language, "en"),
		BrowserLanguage: sess.Request.Language == "",
		Merchant:        m.Name, Test: sess.Request.Test, Order: screen.OrderOf(sess.Request.Order),
		Payee: sess.Request.Payee.Name, Payment: sess.Paid,
	}
	branding := m.BrandingFor(sess.Request.FormID)
	page.Branding, page.Origins = screen.BrandOf(branding), branding.FrameOrigins
	if n := len(sess.Attempts); n > 0 {
		page.Attempt = sess.Attempts[n-1]
	}
	return page
}

// formScreen shows the methods that the payer can choose and the fields to fill in.
func (s *Page) formScreen(
	ctx context.Context, page screen.Screen, sess *checkout.Session, m *settings.Merchant,
) (screen.Screen, error) {
	if !sess.Request.Test {
		s.measureCertificates(ctx, s.core.Now(), m)
	}
	route, err := routing.FindRoute(m, &sess.Request)
	if err != nil || m.Disabled {
		to := returnURL(sess.Request.ErrorURL, m, m.MappingNamed(sess.Mapping), sess)
		return endScreen(page, sess, to, screen.TextTechnicalProblem), nil
	}
	seal, err := card.Keys{Store: s.core.Store, Cache: &s.keys}.PublicKey(ctx, s.core.Now())
	if err != nil {
		return screen.Screen{}, err
	}
	page.Kind, page.Actions = screen.KindForm, []screen.Action{screen.ActionCancel}
	setExpiry(&page, s.core.Now(), sess.ExpiresAt)
	page.LifetimeMS = sess.ExpiresAt.Sub(sess.CreatedAt).Milliseconds()
	page.MoreTimeMS = sess.MoreTimeWithin(s.core.Now()).Milliseconds()
	page.Seal = &screen.Seal{KeyID: seal.ID, Key: seal.Point, Info: payment.SealInfo(sess.Request.Owner, sess.ID)}
	for _, name := range route.Methods() {
		page.Methods = append(page.Methods, s.formMethod(m, route, name, sess))
	}
	page.Items, page.Totals = screen.Items(&sess.Request, m.BrandingFor(sess.Request.FormID).ImageHosts)
	page.Order.VAT = screen.VATs(route.Mapping, &sess.Request)
	page.Schedule = screen.ScheduleOf(m, &sess.Request, sess.CreatedAt)
	page.LastTry = sess.Declines > 0 && sess.Declines+1 >= sess.MaxDeclines
	if sess.Declines > 0 && sess.Reason != nil {
		text := screen.TextDeclined
		if sess.Instructed {
			text = screen.TextDeclinedElsewhere
		}
		page.Message = sess.DeclineMessage(cmp.Or(sess.UnappliedMoney, text))
	}
	return page, nil
}

// heldPollMS is how often a held session is asked for again: a person may take hours.
const heldPollMS = 5000

// heldScreen tells the payer that an earlier payment is checked. It offers nothing to pay with.
func heldScreen(page screen.Screen) screen.Screen {
	page.Kind, page.PollMS = screen.KindWait, heldPollMS
	page.Message = &screen.Message{Text: screen.TextCheckingFirst}
	return page
}

// longWait is after how long payers who have nothing to do but to wait are told that they may leave.
const longWait = 30 * time.Second

// waitScreen shows a payment that has no outcome yet: it redirects the payer to the provider, or waits.
func waitScreen(now time.Time, page screen.Screen, sess *checkout.Session) screen.Screen {
	page.Actions = sess.Endings(now)
	leaves := sess.Action != nil && sess.Action.URL != "" && sess.Ending == "" && !sess.PayerReturned &&
		!sess.Action.Expired(now)
	if sess.IsHeld() && (leaves || sess.Ending == "" && sess.Action.HasInstructions() && sess.Action.URL == "") {
		return heldScreen(page) // without what the payer would pay with
	}
	if leaves {
		page.Kind = screen.KindGo
		page.Message = &screen.Message{Text: screen.TextContinueElsewhere}
		page.Go = &screen.Go{URL: sess.Action.URL, Target: "_self"}
		return page
	}
	page.Kind = screen.KindWait
	page.Message = &screen.Message{Text: screen.TextProcessing}
	page.PollMS = 1000
	if sess.OtherAmount {
		page.Message.Text, page.PollMS = screen.TextCheckingOutcome, heldPollMS
		return page
	}
	if sess.Ending != "" {
		page.Message.Text = screen.TextEndingPayment
		return page // with the shorter pause, since the payer has just acted
	}
	switch {
	case sess.Action != nil:
		showInstructions(&page, now, sess)
	case sess.UnderWay:
		page.Message.Text = screen.TextPayoutUnderWay
	}
	if waits := sess.WaitsSince(); !waits.IsZero() && now.Sub(waits) > longWait {
		page.PollMS = 5000
		if page.Message.Text == screen.TextProcessing {
			page.Message.Text = screen.TextCheckingOutcome
		}
	}
	return page
}

// withAnother leaves the choice of another way to pay out of a screen where the form would offer none.
func withAnother(page screen.Screen, sess *checkout.Session, m *settings.Merchant) screen.Screen {
	if i := slices.Index(page.Actions, screen.ActionAnother); i >= 0 {
		route, err := routing.FindRoute(m, &sess.Request)
		if err != nil || m.Disabled || !form.HasOtherWays(route, &sess.Request) {
			page.Actions = slices.Delete(page.Actions, i, i+1)
		}
	}
	return page
}

// endScreen redirects the payer to a URL of the merchant, or shows a message if there is none (protocol.md, Return to
// the merchant).
func endScreen(page screen.Screen, sess *checkout.Session, to string, text screen.Text) screen.Screen {
	page.Message = &screen.Message{Text: text}
	if to == "" {
		page.Kind = screen.KindMessage
		return page
	}
	page.Kind, page.Go = screen.KindGo, goTo(to, sess)
	return page
}

// withWayBack adds to a message that has no link the first that is known of expiry_url, cancel_url and error_url
// (protocol.md, Return to the merchant).
func withWayBack(page screen.Screen, sess *checkout.Session, m *settings.Merchant) screen.Screen {
	if page.Kind != screen.KindMessage || page.Go != nil {
		return page
	}
	mapping, urls := m.MappingNamed(sess.Mapping), &sess.Request
	back := cmp.Or(returnURL(urls.ExpiryURL, m, mapping, sess), cancelURL(m, mapping, sess),
		returnURL(urls.ErrorURL, m, mapping, sess))
	if back != "" {
		page.Go = goTo(back, sess)
	}
	return page
}

// goTo returns the way to a URL of the merchant, in the browsing context that the request names.
func goTo(url string, sess *checkout.Session) *screen.Go {
	return &screen.Go{URL: url, Target: cmp.Or(sess.Request.URLTarget, "_self")}
}

// cancelURL is the merchant's cancel_url. It has the payment's parameters only after an attempt (protocol.md, Return to
// the merchant).
func cancelURL(m *settings.Merchant, mapping *settings.Mapping, sess *checkout.Session) string {
	if sess.PaymentID == "" {
		return sess.Request.CancelURL
	}
	return returnURL(sess.Request.CancelURL, m, mapping, sess)
}

// returnURL is the merchant's URL, followed by the payment's parameters if the mapping has return_parameters
// (protocol.md, Return to the merchant). The payment is the latest, or before any attempt the one that the first
// attempt will make. The hash is that of callbacks, so only a payer who has paid gets it, unless the mapping has
// hash_on_every_return.
func returnURL(to string, m *settings.Merchant, mapping *settings.Mapping, sess *checkout.Session) string {
	if to == "" || !mapping.ReturnParameters {
		return to
	}
	o, id := sess.Request.Order, cmp.Or(sess.PaymentID, sess.FirstPaymentID)
	if !sess.Amount.IsZero() {
		o.Amount = request.Entered(sess.Amount)
	}
	values := [][2]string{{"payment_id", id}, {"trans_id", id}, {"order_id", o.Number}}
	if sess.State == checkout.SessionComplete || mapping.HashOnEveryReturn {
		values = append(values, [2]string{"hash", settings.SignCallback(m, mapping, id, o)})
	}
	var b strings.Builder
	b.WriteString(to)
	sep := "?"
	if strings.Contains(to, "?") {
		sep = "&"
	}
	for _, v := range values {
		b.WriteString(sep + v[0] + "=" + url.QueryEscape(v[1]))
		sep = "&"
	}
	return b.String()
}
