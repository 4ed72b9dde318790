package sealed

import (
	"testing"

	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// TestFrozenDocuments reads documents of version 1, and writes them as version 1 does.
func TestFrozenDocuments(t *testing.T) {
	storetest.ReadsFrozen(t, "secret", store.Key{}, storetest.ReadAs[Secret](nil))
	storetest.ReadsFrozen(t, "secret-credentials", store.Key{}, storetest.ReadAs[Secret](nil))
}
