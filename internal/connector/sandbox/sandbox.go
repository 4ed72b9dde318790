// Package sandbox is a provider that moves no money, so that everything can be tried and tested.
package sandbox

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// Sandbox is the sandbox's connector and its provider. The card that the payer types decides the outcome, faults
// included (protocol.md, Test key and test cards, and the README's table of test cards). All operations are in its
// ledger. Like a real provider it executes nothing twice, captures no more than was authorised and refunds no more than
// was captured.
type Sandbox struct {
	provider.Setup
}

// New builds the sandbox.
func New(setup provider.Setup) connector.Connector { return &Sandbox{setup} }

var _ interface {
	connector.Connector
	connector.Capturer
	connector.Voider
	connector.Refunder
	connector.Continuer
	connector.StatusQuerier
	connector.NotificationHandler
	connector.Canceller
} = (*Sandbox)(nil)

// stepLimit is how long a payer may take for a required action. A late outcome is known lateBy after its charge.
const (
	stepLimit = 20 * time.Minute
	lateBy    = 20 * time.Second
)

// page is the address of the sandbox's own page of a charge.
func (s *Sandbox) page(reference string) string { return s.BaseURL + "/sandbox/" + reference }
