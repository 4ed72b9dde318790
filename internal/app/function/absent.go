package function

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/merchant"
)

// absent stands for every part of the service that a function was not given, and fails whoever uses one.
type absent struct{}

// absentURL is the base URL of a function that was given none. The name can't exist (RFC 6761).
const absentURL = "https://no-base-url.invalid"

// none gives a service that has its table the absence of all else.
func none(s *checkout.Service) {
	s.Queue, s.Vault, s.Secrets, s.Sender, s.BaseURL = absent{}, absent{}, absent{}, absent{}, absentURL
}

func (absent) err(name string) error { return fmt.Errorf("this function was not given the %s", name) }

// SendJob implements checkout.Queue.
func (a absent) SendJob(context.Context, checkout.JobMessage, time.Duration) error {
	return a.err("job queue")
}

// SendCallback implements checkout.Queue.
func (a absent) SendCallback(context.Context, callback.Message, time.Duration) error {
	return a.err("callback queue")
}

// SendJobs implements checkout.Queue.
func (a absent) SendJobs(context.Context, []checkout.JobMessage) (int, error) {
	return 0, a.err("job queue")
}

// SendCallbacks implements checkout.Queue.
func (a absent) SendCallbacks(context.Context, []callback.Message) (int, error) {
	return 0, a.err("callback queue")
}

// NewDayKey implements checkout.Vault.
func (a absent) NewDayKey(context.Context, string) (card.DayKey, error) {
	return card.DayKey{}, a.err(DayKeys.Name)
}

// OpenDayKey implements checkout.Vault.
func (a absent) OpenDayKey(context.Context, card.DayKey) (card.PrivateKey, error) {
	return nil, a.err(OpenVault.Name)
}

// Keep implements checkout.Vault.
func (a absent) Keep(context.Context, card.Card, string) (card.Encrypted, error) {
	return card.Encrypted{}, a.err(OpenVault.Name)
}

// OpenKept implements checkout.Vault.
func (a absent) OpenKept(context.Context, card.Encrypted, string) (card.Card, error) {
	return card.Card{}, a.err(OpenVault.Name)
}

// Uses implements checkout.Secrets: there are none.
func (a absent) Uses() []merchant.SecretUse { return nil }

// Encrypt implements checkout.Secrets.
func (a absent) Encrypt(_ context.Context, use merchant.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, a.err(string(use) + " of merchants")
}

// Decrypt implements checkout.Secrets.
func (a absent) Decrypt(_ context.Context, use merchant.SecretUse, _ string, _ []byte) ([]byte, error) {
	return nil, a.err(string(use) + " of merchants")
}

// Send implements checkout.Sender.
func (a absent) Send(context.Context, callback.Outgoing) (int, error) {
	return 0, a.err("sender of callbacks")
}
