package change_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/settings/table/tabletest"
	"checkout/internal/store"
)

// document returns the settings of a merchant as they are stored.
func (s *shop) document(id string) []byte {
	s.Helper()
	r, err := store.GetOne(s.Context(), s.store, s.now, store.SettingsKey(id))
	s.do(err)
	return r.Doc
}

// text returns settings as the page sends them, without secrets.
func text(t *rapid.T, m settings.Merchant) json.RawMessage {
	bare := m.Clone()
	bare.TakeSecrets()
	encoded, err := json.Marshal(bare)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// names returns the names of all mappings and MIDs.
func names(m settings.Merchant) (all []string) {
	for _, mapping := range m.Mappings {
		all = append(all, mapping.Name)
		for _, mid := range mapping.MIDs {
			all = append(all, mid.Name)
		}
	}
	return all
}

// Settings that are published, and those that are saved as a whole, end in the same bytes. Restoring a version brings
// its bytes back.
func TestEveryWayEndsInTheSameBytes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newShop(t)
		s.merchants.Connectors = settings.Declarations{"bank": {}}
		before, after := tabletest.Random(r, "shop"), tabletest.Random(r, "shop")
		s.do(s.merchants.Save(t.Context(), before))
		first := s.document("shop")
		read, err := s.merchants.Read(t.Context(), "shop")
		s.do(err)
		s.now = s.now.Add(time.Hour)
		published, err := s.merchants.Publish(t.Context(),
			change.Draft{Merchant: "shop", Version: read.Version, Settings: text(r, after), Whole: true,
				Remove: names(before)})
		s.do(err)
		byPage := s.document("shop")
		other := newShop(t)
		other.merchants.Connectors = s.merchants.Connectors
		other.do(other.merchants.Save(t.Context(), after))
		if byFile := other.document("shop"); !bytes.Equal(byPage, byFile) {
			r.Fatalf("by page %s\nby file %s", byPage, byFile)
		}
		if len(published.Changes) == 0 {
			return // equal settings have no version
		}
		_, err = s.merchants.Restore(t.Context(),
			change.Restoration{Merchant: "shop", Version: read.Version, Remove: names(after)})
		s.do(err)
		if back := s.document("shop"); !bytes.Equal(back, first) {
			r.Fatalf("restored %s\nwas %s", back, first)
		}
	})
}
