package operator

import (
	"context"
	"errors"
	"time"

	"checkout/internal/audit"
	"checkout/internal/grant"
	"checkout/internal/payment"
	"checkout/internal/request"
)

var errStub = errors.ErrUnsupported

// OpenAddress closes the circuit breaker of an address.
func (s *Service) OpenAddress(ctx context.Context, act audit.Act, of request.Owner, url string) error {
	return errStub
}

// FollowUp is a refund, capture or void that an operator asks for.
type FollowUp struct {
	PaymentID      string
	Kind           payment.JobKind
	Amount         string // "": all that is left
	IdempotencyKey string
}

// Done is what became of an act.
type Done struct {
	PaymentID string         `json:"payment_id"`
	Reference string         `json:"reference,omitempty"`
	Status    payment.Status `json:"status"`
	Text      string         `json:"text"` // in words
	Decided   bool           `json:"decided"`
}

// FollowUp asks for a refund, capture or void.
func (s *Service) FollowUp(ctx context.Context, act audit.Act, f FollowUp) (Done, error) {
	return Done{}, errStub
}

// BulkSend sends callbacks again that a filter chooses. Expected is the number that the person was shown.
type BulkSend struct {
	Filter
	URL      string
	Expected int
}

// BulkSent is how far it came: call again with the cursor while there is one.
type BulkSent struct {
	Sent   int    `json:"sent"`
	Left   int    `json:"left"`
	Cursor string `json:"cursor,omitempty"`
}

// SendMany sends callbacks again that a filter chooses.
func (s *Service) SendMany(ctx context.Context, by grant.Person, act audit.Act, b BulkSend) (BulkSent, error) {
	return BulkSent{}, errStub
}

// Grants returns all grants.
func (s *Service) Grants(ctx context.Context) ([]grant.Grant, error) { return nil, errStub }

// PersonOf returns a caller with the grants that are theirs.
func (s *Service) PersonOf(ctx context.Context, who, via string) (grant.Person, error) {
	return grant.Person{}, errStub
}

// Grant gives a role.
func (s *Service) Grant(ctx context.Context, by grant.Person, act audit.Act, g grant.Grant) error {
	return errStub
}

// Revoke takes a role.
func (s *Service) Revoke(ctx context.Context, by grant.Person, act audit.Act, g grant.Grant) error {
	return errStub
}

// Audit returns audit documents that a person may see.
func (s *Service) Audit(ctx context.Context, by grant.Person, since, until time.Time) ([]audit.Entry, error) {
	return nil, errStub
}
