package checkout

import (
	"reflect"
	"testing"
)

// What a provider says replaces what it said before, field by field, and what it does not say stays.
func TestMergeProviderData(t *testing.T) {
	var known, said ProviderData
	for i, text := range said.texts() {
		*known.texts()[i], *text = "before", "now"
	}
	if v := reflect.ValueOf(said); v.NumField() != len(said.texts()) {
		t.Fatalf("%d of %d fields are merged and bounded", len(said.texts()), v.NumField())
	}
	before := known
	known.merge(ProviderData{})
	if known != before {
		t.Errorf("what is not said was lost: %+v", known)
	}
	known.merge(ProviderData{RRN: "now"})
	if before.RRN = "now"; known != before {
		t.Errorf("one field said, and known is %+v", known)
	}
	if known.merge(said); known != said {
		t.Errorf("all was said, and known is %+v", known)
	}
}
