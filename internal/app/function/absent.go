package function

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/payer"
	"checkout/internal/settings"
	"checkout/internal/worker"
)

// The absent types stand for the parts of the service that a function was not given. Their methods return an error.
type (
	absentQueue   struct{}
	absentVault   struct{}
	absentSecrets struct{}
	absentSender  struct{}
	absentWallets struct{}
)

// absentURL is the base URL of a function that was given none. The name can't exist (RFC 6761).
const absentURL = "https://no-base-url.invalid"

// setAbsent sets every part of the service but its store to an absent one.
func setAbsent(a *App) {
	a.Core.Jobs, a.Core.Secrets, a.Core.BaseURL = absentQueue{}, absentSecrets{}, absentURL
	a.Payer.Sessions, a.Merchant.Sealer = absentWallets{}, absentVault{}
	a.Worker.Callbacks, a.Worker.Batches = absentQueue{}, absentQueue{}
	a.Worker.Vault, a.Worker.Sender, a.Worker.Wallets = absentVault{}, absentSender{}, absentWallets{}
	a.Operator.Callbacks = absentQueue{}
}

func absentError(name string) error { return fmt.Errorf("this function was not given the %s", name) }

// SendJob implements checkout.JobQueue.
func (absentQueue) SendJob(context.Context, checkout.JobMessage, time.Duration) error {
	return absentError("job queues")
}

// SendCallback implements callback.Queue.
func (absentQueue) SendCallback(context.Context, callback.Message, time.Duration) error {
	return absentError("callback queues")
}

// SendJobs implements worker.JobBatches.
func (absentQueue) SendJobs(context.Context, []checkout.JobMessage) (int, error) {
	return 0, absentError("job queues")
}

// SendCallbacks implements callback.Queue.
func (absentQueue) SendCallbacks(context.Context, []callback.Message) (int, error) {
	return 0, absentError("callback queues")
}

// Seal implements card.Vault.
func (absentVault) Seal(card.PublicKey, string, card.Card) (card.Sealed, error) {
	return card.Sealed{}, absentError(SealCards.Name)
}

// NewDayKey implements card.Vault.
func (absentVault) NewDayKey(context.Context, string) (card.DayKey, error) {
	return card.DayKey{}, absentError(DayKeys.Name)
}

// OpenDayKey implements card.Vault.
func (absentVault) OpenDayKey(context.Context, card.DayKey) (card.PrivateKey, error) {
	return nil, absentError(OpenVault.Name)
}

// Encrypt implements card.Vault.
func (absentVault) Encrypt(context.Context, card.Card, string) (card.Encrypted, error) {
	return card.Encrypted{}, absentError(OpenVault.Name)
}

// Decrypt implements card.Vault.
func (absentVault) Decrypt(context.Context, card.Encrypted, string) (card.Card, error) {
	return card.Card{}, absentError(OpenVault.Name)
}

// Uses implements merchant.Secrets. There are none.
func (absentSecrets) Uses() []settings.SecretUse { return nil }

// Encrypt implements merchant.Secrets.
func (absentSecrets) Encrypt(_ context.Context, use settings.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, absentError(string(use) + " of merchants")
}

// Decrypt implements merchant.Secrets.
func (absentSecrets) Decrypt(_ context.Context, use settings.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, absentError(string(use) + " of merchants")
}

// Send implements callback.Sender.
func (absentSender) Send(context.Context, callback.Outgoing) (int, error) {
	return 0, absentError("sender of callbacks")
}

// OpenToken implements worker.Wallets.
func (absentWallets) OpenToken(context.Context, worker.WalletToken) (worker.OpenedToken, error) {
	return worker.OpenedToken{}, absentError("opener of wallets' tokens")
}

// Begin implements payer.MerchantSessions.
func (absentWallets) Begin(context.Context, payer.MerchantSession) (json.RawMessage, error) {
	return nil, absentError("merchant sessions of Apple Pay")
}
