package indexes

import (
	"checkout/internal/app/function"
	"checkout/internal/store/stream"
)

// Index lists what has changed in the main table.
var Index = function.Function{Name: "index", Parts: []*function.Part{&Listing}, Entry: indexChanges}

// indexChanges handles the records of the main table's stream.
func indexChanges(a *function.App, _ function.Function) any {
	return stream.NewHandler(a.Core.Log, stream.Record.Partition, a.IndexOrders)
}
