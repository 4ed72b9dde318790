package operator

import (
	"context"
	"encoding/hex"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
)

// Editor reads and changes what is set for merchants. It can encrypt their secrets and decrypts none. NewEditor makes
// one.
type Editor struct {
	core      *checkout.Core
	merchants *change.Merchants
	act       audit.Act
}

// NewEditor makes an editor of merchants, whose changes By says the reason of.
func NewEditor(core *checkout.Core, merchants *change.Merchants) *Editor {
	return &Editor{core: core, merchants: merchants}
}

// By returns the editor for an act: by whom and why. Each change is stored with its document.
func (s *Editor) By(act audit.Act) *Editor {
	by := *s
	by.act = act
	return &by
}

// List returns the settings of all merchants, without secrets.
func (s *Editor) List(ctx context.Context) ([]settings.Merchant, error) { return s.merchants.List(ctx) }

// Read returns a merchant to edit. Errors: CodeNotFound.
func (s *Editor) Read(ctx context.Context, id string) (change.Editable, error) {
	return s.merchants.Read(ctx, id)
}

// Versions returns the settings that a merchant had before, the latest first. Errors: CodeNotFound.
func (s *Editor) Versions(ctx context.Context, id string) ([]change.ListedVersion, error) {
	return s.merchants.Versions(ctx, id)
}

// Check says what a draft would change, and what is wrong with it. Errors: CodeNotFound, CodeConflict.
func (s *Editor) Check(ctx context.Context, d change.Draft) (change.Checked, error) {
	return s.merchants.Check(ctx, d)
}

// with returns the merchants for changes of the act. In the same write as a change it stores the response to repeats of
// a call.
func (s *Editor) with(idem *checkout.IdempotencyRecord, response func(change.Published) any) *change.Merchants {
	m := *s.merchants
	m.Act, m.Final = s.act, idem.IsConflict
	m.Beside = func(p change.Published) []store.Record { return idem.With(nil, response(p)) }
	return &m
}

// hidden returns a fingerprint of what a call says, by which a repeat is known: a hash of a secret that anybody can
// compute would tell whether a guess is right.
func (s *Editor) hidden(ctx context.Context, merchant, text string) (string, error) {
	if s.act.Key == "" {
		return "", nil
	}
	about := settings.SecretPlace{Use: settings.FingerprintUse, Owner: merchant, Name: "a call"}
	fingerprint, err := s.merchants.Sealer.Fingerprint(ctx, about, text)
	return hex.EncodeToString(fingerprint), err
}

func asPublished(p change.Published) any { return p }

// Publish stores a draft. Errors: those of change.Publish.
func (s *Editor) Publish(ctx context.Context, d change.Draft) (change.Published, error) {
	text := string(d.Settings)
	if d.HasSecret() {
		var err error
		if text, err = s.hidden(ctx, d.Merchant, text); err != nil {
			return change.Published{}, err
		}
	}
	return once(ctx, s.core, s.act, call[change.Published]{
		name: "publish", args: []any{d.Merchant, d.Version, d.Whole, text, d.Remove},
		do: func(idem *checkout.IdempotencyRecord) (change.Published, error) {
			return s.with(idem, asPublished).Publish(ctx, d)
		},
	})
}

// Restore gives a merchant the settings of a version. Errors: those of change.Restore.
func (s *Editor) Restore(ctx context.Context, r change.Restoration) (change.Published, error) {
	return once(ctx, s.core, s.act, call[change.Published]{
		name: "restore", args: r,
		do: func(idem *checkout.IdempotencyRecord) (change.Published, error) {
			return s.with(idem, asPublished).Restore(ctx, r)
		},
	})
}

// SetDisabled disables a merchant, or enables it again. Errors: CodeNotFound.
func (s *Editor) SetDisabled(ctx context.Context, merchant string, disabled bool) (struct{}, error) {
	return once(ctx, s.core, s.act, call[struct{}]{
		name: "disable", args: []any{merchant, disabled},
		do: func(idem *checkout.IdempotencyRecord) (done struct{}, err error) {
			return done, s.with(idem, func(change.Published) any { return done }).SetDisabled(ctx, merchant, disabled)
		},
	})
}

// Switch closes or opens a MID, a method or a country of a mapping. Errors: CodeNotFound, CodeInvalid.
func (s *Editor) Switch(ctx context.Context, what change.Switch) (change.Published, error) {
	return once(ctx, s.core, s.act, call[change.Published]{
		name: "switch", args: what,
		do: func(idem *checkout.IdempotencyRecord) (change.Published, error) {
			return s.with(idem, asPublished).Switch(ctx, what)
		},
	})
}

// NewKeys are the keys and secrets that a call has made. Nobody can read the secrets later: a repeat of the call does
// not tell them, and says that it is one.
type NewKeys struct {
	Merchant string `json:"merchant"`
	change.Made
	Repeated bool `json:"repeated,omitempty"`
}

// New adds a merchant. Errors: CodeInvalid.
func (s *Editor) New(ctx context.Context, n change.NewMerchant) (NewKeys, error) {
	repeated := func(change.Published) any { return NewKeys{Merchant: n.ID, Repeated: true} }
	return once(ctx, s.core, s.act, call[NewKeys]{
		name: "new merchant", args: n,
		do: func(idem *checkout.IdempotencyRecord) (NewKeys, error) {
			made, err := s.with(idem, repeated).New(ctx, n)
			return NewKeys{Merchant: n.ID, Made: made}, err
		},
	})
}

// Rotate replaces a key or secret, and returns the new one if it was made. Errors: CodeInvalid, CodeNotFound.
func (s *Editor) Rotate(ctx context.Context, r change.Rotation) (NewKeys, error) {
	to := ""
	if r.To != "" {
		var err error
		if to, err = s.hidden(ctx, r.Merchant, r.To); err != nil {
			return NewKeys{}, err
		}
	}
	repeated := func(change.Published) any { return NewKeys{Merchant: r.Merchant, Repeated: true} }
	return once(ctx, s.core, s.act, call[NewKeys]{
		name: "rotate", args: []any{r.Merchant, r.What, to, r.Overlap / time.Second},
		do: func(idem *checkout.IdempotencyRecord) (NewKeys, error) {
			value, err := s.with(idem, repeated).Rotate(ctx, r)
			made := NewKeys{Merchant: r.Merchant}
			if err == nil && r.To == "" {
				*made.at(r.What) = value
			}
			return made, err
		},
	})
}

// at returns where a key or secret stands, by its name in a Rotation.
func (k *NewKeys) at(what string) *string {
	return map[string]*string{
		"key": &k.LiveKey, "test-key": &k.TestKey, "password": &k.Password, "callback-secret": &k.CallbackSecret,
	}[what]
}

// PutWalletKeys stores certificates and keys of wallets. Errors: CodeInvalid with every fault, CodeNotFound.
func (s *Editor) PutWalletKeys(ctx context.Context, k change.WalletKeys) (struct{}, error) {
	sent, err := s.hidden(ctx, k.Merchant, string(store.CompactJSON(k)))
	if err != nil {
		return struct{}{}, err
	}
	return once(ctx, s.core, s.act, call[struct{}]{
		name: "wallet keys", args: []any{k.Merchant, sent},
		do: func(idem *checkout.IdempotencyRecord) (done struct{}, err error) {
			return done, s.with(idem, func(change.Published) any { return done }).PutWalletKeys(ctx, k)
		},
	})
}

// ErrUnknownMerchant is the error for a merchant that there is not, or not for the caller.
func ErrUnknownMerchant() error { return fault.Refuse(fault.CodeNotFound, "Merchant does not exist") }
