package checkout

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/request"
)

// BeginMerchantSession begins a merchant session of W1, which the payment sheet needs: for the host of the top-level
// page, which is one of the merchant's domains, while the session can be paid with the wallet. It stores nothing.
// Errors: CodeInvalid, CodeNotFound; CodeNotAllowed, also if the wallet refuses.
func (s *Service) BeginMerchantSession(ctx context.Context, sessionID, domain string) (json.RawMessage, error) {
	now := s.Now()
	sess, err := s.session(ctx, now, sessionID)
	if err != nil {
		return nil, err
	}
	m, route, err := s.routeOf(ctx, now, sess)
	if err != nil {
		return nil, err
	}
	settings := offeredApplePay(m, route)
	if sess.stateAt(now) != sessionOpen || settings == nil || sess.Request.Test { // the sandbox's wallet needs none
		return nil, request.Refuse(request.CodeNotAllowed, request.FaultInvalid, "The wallet can't be opened here.")
	}
	if domain = strings.ToLower(domain); !hasDomain(settings, domain) {
		return nil, errField("domain", method.TextNotChoice)
	}
	begun, err := s.Sessions.Begin(ctx, MerchantSession{Settings: *settings, Domain: domain})
	if err != nil {
		s.Log.ErrorContext(ctx, "merchant session of a wallet not begun", "merchant", m.ID, "domain", domain, "error", err)
		return nil, request.Refuse(request.CodeNotAllowed, request.FaultInvalid, "The wallet can't be opened now.")
	}
	return begun, nil
}

// offeredApplePay returns the settings that tokens of W1 are made with, with the identity key; nil if the wallet is not
// offered.
func offeredApplePay(m *merchant.Merchant, route merchant.Route) *merchant.ApplePay {
	if route.Mapping == nil || m.Disabled || !slices.Contains(route.Methods(), method.ApplePay) {
		return nil
	}
	settings, _ := route.Wallet(method.ApplePay)
	return settings.ApplePay
}

// hasDomain reports whether pages of a host may show the wallet.
func hasDomain(settings *merchant.ApplePay, host string) bool {
	return slices.ContainsFunc(settings.Domains, func(domain string) bool { return strings.EqualFold(domain, host) })
}
