package change

import (
	"strings"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// The document of a key has a copy as long as it can be saved with it.
func TestCopyThatIsTooLarge(t *testing.T) {
	key := presentKey{store.Record{Key: store.AccessKey("live")}, settings.Key{Owner: fault.Owner{Merchant: "shop"}}}
	record := func(size int) store.Record {
		return key.record(&settings.MerchantCopy{Settings: settings.Merchant{Name: strings.Repeat("x", size)}})
	}
	others := len(record(0).Doc)
	for _, test := range []struct {
		size   int
		copied bool
	}{{store.MaxDoc - others, true}, {store.MaxDoc - others + 1, false}} {
		r := record(test.size)
		r.Version = 1
		var got settings.Key
		if err := r.Decode(&got); err != nil || got.Merchant != "shop" {
			t.Fatalf("%d bytes: %v %v", test.size, got.Owner, err)
		}
		err := store.CheckSave([]store.Record{r})
		if (got.Copy != nil) != test.copied || got.Until.IsZero() == test.copied || err != nil {
			t.Errorf("%d bytes: copy %v, until %v, %v", test.size, got.Copy != nil, got.Until, err)
		}
	}
}
