// Package indexes has the part of the service that lists payments for operators, and the function that needs it.
package indexes

import (
	"checkout/internal/app/function"
	"checkout/internal/operator/listing"
)

// Listing lists payments for operators.
var Listing = function.Part{
	Name: "listing", Needs: []string{"LISTING_TABLE", "LISTING_RETENTION_DAYS"}, Add: addListing,
}

func addListing(b *function.Builder) { b.IndexOrders = NewIndexer(b).Index }

// NewIndexer makes an indexer of the builder's store.
func NewIndexer(b *function.Builder) listing.Indexer {
	return listing.NewIndexer(b.Core.Store, b.Core.Store, b.Core.Now, b.ListingTTL)
}
