package change

import (
	"context"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// Rotation is the replacement of a key or secret of a merchant.
type Rotation struct {
	Merchant string        // its id
	What     string        // key, test-key, password or callback-secret
	To       string        // the new value; "": a random one
	Overlap  time.Duration // how long the present value stays valid; one that was replaced before expires immediately
}

// rotatable are the keys and secrets that can be rotated.
var rotatable = []string{"key", "test-key", "password", "callback-secret"}

// maxOverlap is how long a replaced key or secret may stay valid.
const maxOverlap = 30 * 24 * time.Hour

// Rotate replaces a key or secret and returns the new one.
// Errors: CodeInvalid, CodeNotFound.
func (o *Merchants) Rotate(ctx context.Context, r Rotation) (string, error) {
	switch {
	case !slices.Contains(rotatable, r.What):
		return "", fault.At("what", method.TextNotChoice)
	case r.Overlap < 0 || r.Overlap > maxOverlap:
		return "", fault.At("overlap", method.NotValid("It should be 720h or less."))
	}
	to := r.To
	if to == "" {
		to = o.generate(r.What)
	}
	lines, err := o.change(ctx, change{id: r.Merchant, overlap: r.Overlap, apply: func(
		m *settings.Merchant, _ secrets,
	) error {
		if m.ID == "" {
			return errMerchant()
		}
		value := map[string]*string{
			"key":             &m.LiveKey,
			"test-key":        &m.TestKey,
			"password":        &m.Password,
			"callback-secret": &m.CallbackSecret,
		}[r.What]
		*value = to
		return nil
	}})
	if err != nil {
		return "", err
	}
	if len(lines) == 0 {
		return "", fault.At("to", method.NotValid("It is the present value."))
	}
	return to, nil
}
