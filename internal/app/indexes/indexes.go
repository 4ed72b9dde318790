// Package indexes has the function that lists payments for operators.
package indexes

import (
	"checkout/internal/app/function"
	"checkout/internal/operator/listing"
	"checkout/internal/store/stream"
)

// Index lists what has changed in the main table. It handles the records of its stream.
var Index = function.Function{Name: "index", Build: func(b *function.Builder) any {
	core := b.Core("Query")
	b.ListingTable("GetItem BatchGetItem PutItem DeleteItem")
	indexer := listing.NewIndexer(core.Store, core.Store, core.Now, b.ListingTTL())
	return stream.NewHandler(core.Log, stream.Record.Partition, indexer.Index)
}}
