package app

import (
	"context"
	"time"

	"checkout/internal/app/function"
	"checkout/internal/callback"
	"checkout/internal/callback/post"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
)

// CallbackTrials is what came of test callbacks.
type CallbackTrials = callback.Trials

// NewShop is a merchant that was just added, with the secrets that its callbacks are signed with.
type NewShop struct {
	change.NewMerchant
	Password, CallbackSecret string
}

// TryCallbacks sends test callbacks from this machine to the address of a new merchant, by the rules of real ones. With
// local it may be an address of this machine.
func TryCallbacks(ctx context.Context, shop NewShop, local bool) (CallbackTrials, error) {
	mapping, err := shop.Mapping()
	if err != nil {
		return CallbackTrials{}, err
	}
	m := &settings.Merchant{
		ID: shop.ID, Password: shop.Password, CallbackSecret: shop.CallbackSecret, TestNotificationURL: shop.URL,
		Mappings: []settings.Mapping{mapping},
	}
	sender := post.New(post.Options{AllowLoopback: local})
	return callback.SendTrials(ctx, sender, m, callback.TrialIDs{Now: time.Now, Random: function.Random})
}
