package storetest

import (
	"testing"

	"checkout/internal/store"
)

// Run tests the stores that newStore makes: for each test a new, empty one.
func Run(t *testing.T, newStore func(t *testing.T) store.Store) {
	for _, test := range []struct {
		name string
		run  func(*suite)
	}{
		{"absent", absent},
		{"add and get", addAndGet},
		{"replace", replace},
		{"conflicts", conflicts},
		{"all or none", allOrNone},
		{"expiry", expiry},
		{"expiry and replace", expiryAndReplace},
		{"milliseconds", milliseconds},
		{"many keys", manyKeys},
		{"large documents", largeDocuments},
		{"three tables", threeTables},
		{"delete", deletes},
		{"refused input", refusedInput},
		{"cancelled", cancelled},
		{"unicode", unicode},
		{"caller's bytes", callersBytes},
		{"one winner", oneWinner},
		{"one winner of several", oneWinnerOfSeveral},
		{"counters", counters},
		{"transfers", transfers},
		{"list order", listOrder},
		{"list expired", listExpired},
		{"list large pages", listLargePages},
		{"operators' lists", operatorsLists},
		{"due", due},
		{"due kinds", dueKinds},
		{"due pages", duePages},
		{"due changes", dueChanges},
		{"due at once", dueAtOnce},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(&suite{T: t, store: newStore(t), ctx: t.Context()})
		})
	}
}
