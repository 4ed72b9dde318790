package api

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"checkout/internal/request/requesttest"
)

// The first table of Errors in infra/protocol.md has the statuses of all errors.
func TestProtocolHasTheStatuses(t *testing.T) {
	want, got := map[string]bool{strconv.Itoa(http.StatusInternalServerError): true}, map[string]bool{}
	for _, response := range statuses {
		want[strconv.Itoa(response.status)] = true
	}
	for _, row := range requesttest.ProtocolRows(t, "Errors") {
		if len(row) == 3 {
			got[row[0]] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
