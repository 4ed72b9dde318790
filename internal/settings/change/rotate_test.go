package change_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store/memory"
)

// other is a merchant beside the shop, with secrets of its own.
func other() settings.Merchant {
	return settings.Merchant{ID: "other", Name: "Other", LiveKey: "live-of-other", TestKey: "test-of-other",
		Password: "of-the-other", CallbackSecret: "whsec_OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2",
		Mappings: []settings.Mapping{{Name: "default"}}}
}

// dump is all that is stored.
func (s *shop) dump() string { return fmt.Sprint(s.store.Store.(*memory.Store).Dump()) }

// A rotation that is refused names what is wrong, and changes nothing.
func TestRefusedRotations(t *testing.T) {
	s := newShop(t)
	s.do(s.merchants.Save(t.Context(), other()))
	before := s.dump()
	const overlap = "overlap: This value is not valid."
	for want, r := range map[string]change.Rotation{
		"Merchant does not exist":                             {Merchant: "none", What: "key"},
		"what: The value you selected is not a valid choice.": {Merchant: "shop", What: "name"},
		overlap:                                           {Merchant: "shop", What: "key", Overlap: -1},
		overlap + " It should be 720h or less.":           {Merchant: "shop", What: "key", Overlap: 721 * time.Hour},
		"to: This value is not valid.":                    {Merchant: "shop", What: "password", To: "first"},
		"live_key: This key belongs to another merchant.": {Merchant: "shop", What: "key", To: "test-of-other"},
		"callback_secret: This value is not valid.":       {Merchant: "shop", What: "callback-secret", To: "plain"},
	} {
		value, err := s.merchants.Rotate(t.Context(), r)
		if err == nil || !strings.Contains(err.Error(), want) || value != "" {
			t.Errorf("%+v: %q %v, want %s", r, value, err, want)
		}
	}
	if s.dump() != before {
		t.Error("a refused rotation changed the store")
	}
}

// What operators see of merchants has no secret. Secrets that are left out when settings are saved stay as they are.
func TestSecretsAreNotShown(t *testing.T) {
	s := newShop(t)
	s.do(s.merchants.Save(t.Context(), other()))
	renamed := other()
	renamed.Name, renamed.Password, renamed.CallbackSecret = "Renamed", "", ""
	renamed.LiveKey, renamed.TestKey = "", ""
	s.do(s.merchants.Save(t.Context(), renamed))
	s.do(s.merchants.SetDisabled(t.Context(), "other", true))
	if m, _, _ := s.call("live-of-other", settings.SecretPassword); m == nil || m.Password != "of-the-other" ||
		m.Name != "Renamed" {
		t.Errorf("with the stored secrets: %+v", m)
	}
	_, err := s.merchants.Rotate(t.Context(), change.Rotation{Merchant: "shop", What: "key", Overlap: time.Hour})
	s.do(err)
	all, err := s.merchants.List(t.Context())
	s.do(err)
	found, err := s.merchants.Read(t.Context(), "shop")
	s.do(err)
	if len(all) != 2 || all[0].ID != "other" || !all[0].Disabled || all[1].ID != "shop" || all[1].Disabled {
		t.Errorf("the list: %+v", all)
	}
	if len(found.Replaced) != 1 || found.Replaced[0].Key != "live" || found.Settings.LiveKey != all[1].LiveKey ||
		found.Secrets["password"].Since != noon {
		t.Errorf("found %+v", found)
	}
	for _, secret := range []string{"first", "of-the-other", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"} {
		if strings.Contains(fmt.Sprintf("%+v %+v", found, all), secret) {
			t.Errorf("%s is shown", secret)
		}
	}
}
