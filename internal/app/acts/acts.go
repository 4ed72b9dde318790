// Package acts has the function that does what operators ask for.
package acts

import (
	_ "time/tzdata" // the zones of operators' days, which a runtime may lack

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/query"
)

// Adminact does what operators ask for.
var Adminact = function.Function{Name: "adminact", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem DeleteItem Query")
	b.Due("Query")
	b.ListingTable("GetItem BatchGetItem Query")
	actor := operator.NewActor(core, queues.Jobs(b), queues.Callbacks(b))
	trials := merchant.NewTrials(core, b.BaseURL())
	return b.AdminHTTP(core, api.AdminAct(operator.NewPeople(core), query.NewReader(core), actor, trials))
}}
