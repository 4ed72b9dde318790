package connector

import (
	"reflect"
	"slices"
	"testing"
)

// TestMergeProviderData checks that a merge replaces the fields that the update has, and no others.
func TestMergeProviderData(t *testing.T) {
	var known, update ProviderData
	for i, text := range update.texts() {
		*known.texts()[i], *text = "before", "now"
	}
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeOf(update)), func(f reflect.StructField) bool {
		return f.Anonymous
	})
	if len(fields) != len(update.texts()) {
		t.Fatalf("%d of %d fields are merged and bounded", len(update.texts()), len(fields))
	}
	before := known
	known.Merge(ProviderData{})
	if known != before {
		t.Errorf("an empty update changed the data to %+v", known)
	}
	known.Merge(ProviderData{RRN: "now"})
	if before.RRN = "now"; known != before {
		t.Errorf("an update of one field made %+v", known)
	}
	if known.Merge(update); known != update {
		t.Errorf("an update of all fields made %+v", known)
	}
}
