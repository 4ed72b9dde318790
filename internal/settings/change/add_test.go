package change_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/settings/change"
	"checkout/internal/store"
)

// A draft adds a merchant with the keys and secrets that it names, and with new ones for those that it leaves out. A
// check says the same and makes nothing.
func TestDraftsAddMerchants(t *testing.T) {
	s := newShop(t)
	cups := change.Draft{Merchant: "cups", Version: change.NoVersion, Adds: true, Settings: json.RawMessage(
		`{"name":"Cups","live_key":"cups-live","password":"cups-password","mappings":[]}`)}
	before := s.dump()
	checked, err := s.merchants.Check(t.Context(), cups)
	if err != nil || checked.Version != 0 || len(checked.Faults) != 0 || len(checked.Changes) != 1 || s.dump() != before {
		t.Fatalf("checked: %+v, %v", checked, err)
	}
	beside := ""
	s.merchants.Beside = func(p change.Published) []store.Record {
		beside += string(store.CompactJSON(p))
		return nil
	}
	done, err := s.merchants.Publish(t.Context(), cups)
	s.do(err)
	if done.Version != 1 || done.Made.LiveKey != "" || done.Made.Password != "" || done.Made.TestKey == "" ||
		!strings.HasPrefix(done.Made.CallbackSecret, "whsec_") {
		t.Errorf("published: %+v", done)
	}
	if strings.Contains(beside, "made") {
		t.Errorf("what was made is stored beside it: %s", beside)
	}
	read, err := s.merchants.Read(t.Context(), "cups")
	s.do(err)
	if read.Settings.ID != "cups" || read.Settings.LiveKey != "cups-live" || read.Settings.TestKey != done.Made.TestKey ||
		len(read.Secrets) != 4 {
		t.Errorf("it has %+v", read)
	}
}

// Without leave to add, or where the merchant is there already, a draft of a new one adds nothing.
func TestDraftsThatAddNothing(t *testing.T) {
	s := newShop(t)
	before := s.dump()
	whole := json.RawMessage(`{"name":"Cups","mappings":[]}`)
	for _, test := range []struct {
		draft change.Draft
		code  fault.Code
	}{
		{change.Draft{Merchant: "cups", Settings: whole}, fault.CodeNotFound},
		{change.Draft{Merchant: "cups", Settings: whole, Version: change.NoVersion}, fault.CodeNotFound},
		{change.Draft{Merchant: "cups", Settings: whole, Version: 1, Adds: true}, fault.CodeConflict},
		{change.Draft{Merchant: "shop", Settings: whole, Version: change.NoVersion, Adds: true}, fault.CodeConflict},
		{change.Draft{Merchant: "cups", Settings: json.RawMessage(`{"id":"mugs","mappings":[]}`), Adds: true},
			fault.CodeInvalid},
		{change.Draft{Merchant: "cups", Settings: json.RawMessage(`{"live_key":"live","mappings":[]}`), Adds: true},
			fault.CodeInvalid},
	} {
		_, err := s.merchants.Publish(t.Context(), test.draft)
		if fault.CodeOf(err) != test.code {
			t.Errorf("%+v: %v", test.draft, err)
		}
		var conflict *fault.Error
		if errors.As(err, &conflict) && test.code == fault.CodeConflict && test.draft.Merchant == "shop" {
			hint := conflict.Hint.(change.Conflict)
			if hint.Version != 1 || len(hint.Changes) != 1 || hint.Changes[0].Text != "is new" {
				t.Errorf("the hint is %+v", hint)
			}
		}
		if _, err := s.merchants.Check(t.Context(), test.draft); test.code != fault.CodeInvalid &&
			fault.CodeOf(err) != test.code {
			t.Errorf("check %+v: %v", test.draft, err)
		}
	}
	if s.dump() != before {
		t.Error("something is stored")
	}
}
