package payer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/routing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// maxMerchantSessions is how many merchant sessions the payer of one session can begin. Each is a request with the
// merchant's certificate.
const maxMerchantSessions = 30

// BeginMerchantSession begins a merchant session of Apple Pay, which the payment sheet needs: for the host of the
// top-level page, which is one of the merchant's domains, while the session can be paid with the wallet. It stores
// nothing but the number of those that were begun. Errors: CodeInvalid, CodeNotFound; CodeNotAllowed, also if the
// wallet refuses; ErrConflicts.
func (s *Page) BeginMerchantSession(ctx context.Context, sessionID, domain string) (json.RawMessage, error) {
	domain = strings.ToLower(domain)
	var own settings.ApplePay
	sess, _, err := s.changeSession(ctx, "begin merchant session", s.readSession(ctx, sessionID),
		func(now time.Time, sess *checkout.Session) (bool, []store.Record, error) {
			applePay, err := s.sheetSettings(ctx, now, sess, domain)
			if err != nil {
				return false, nil, err
			}
			own = *applePay
			sess.MerchantSessions++ // stored before it is begun, so that those at the same time count, too
			return true, nil, nil
		})
	if err != nil {
		return nil, err
	}
	return s.beginMerchantSession(ctx, sess, own, domain)
}

// sheetSettings returns the settings that the payment sheet of Apple Pay is opened with on a page of a domain.
// Errors: CodeInvalid, CodeNotAllowed.
func (s *Page) sheetSettings(
	ctx context.Context, now time.Time, sess *checkout.Session, domain string,
) (*settings.ApplePay, error) {
	m, route, err := s.routeOf(ctx, now, sess)
	if err != nil {
		return nil, err
	}
	settings := offeredApplePay(m, route)
	switch {
	// the sandbox's wallet needs none
	case sess.StateAt(now) != checkout.SessionOpen || settings == nil || sess.Request.Test:
		return nil, errSheet("The wallet can't be opened here.")
	case !slices.Contains(settings.Domains, domain):
		return nil, fault.At("domain", method.TextNotChoice)
	case sess.MerchantSessions >= maxMerchantSessions:
		return nil, errSheet("The wallet was opened too often.")
	}
	return settings, nil
}

func (s *Page) beginMerchantSession(
	ctx context.Context, sess *checkout.Session, own settings.ApplePay, domain string,
) (json.RawMessage, error) {
	begun, err := s.Sessions.Begin(ctx, own, domain)
	if err != nil {
		s.core.Log.ErrorContext(ctx, "merchant session of a wallet not begun", "merchant", sess.Request.Owner.Merchant,
			"domain", domain, "error", err)
		return nil, errSheet("The wallet can't be opened now.")
	}
	return begun, nil
}

func errSheet(text string) *fault.Error {
	return fault.Refuse(fault.CodeNotAllowed, text)
}

// offeredApplePay returns the settings that tokens of Apple Pay are made with, with the identity key; nil if the wallet
// is not offered.
func offeredApplePay(m *settings.Merchant, route routing.Route) *settings.ApplePay {
	if route.Mapping == nil || m.Disabled || !slices.Contains(route.Methods(), method.ApplePay) {
		return nil
	}
	settings, _ := route.Wallet(method.ApplePay)
	return settings.ApplePay
}
