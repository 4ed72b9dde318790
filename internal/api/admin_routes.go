package api

import (
	"slices"

	"checkout/internal/operator/grant"
)

// The routes of the admin API, which the functions adminread and adminact serve, and no function of the public API.
// Each names the right that its caller needs.
var (
	AdminRead = Routes{
		{"GET", "/admin/v1/me", read{AnyGrant, "", (*adminCall).me}},
		{"GET", "/admin/v1/describe", read{AnyGrant, "", (*adminCall).describe}},
		{"GET", "/admin/v1/find", read{grant.Find, "q merchant mode day", (*adminCall).find}},
		{"GET", "/admin/v1/payments", read{grant.Find, filters + " cursor limit", (*adminCall).payments}},
		{"GET", "/admin/v1/payments/{id}", read{grant.Find, "", (*adminCall).view}},
		{"GET", "/admin/v1/totals", read{grant.Sums, filters + " cursor", (*adminCall).totals}},
		{"GET", "/admin/v1/under-way", read{grant.Find, "merchant mode cursor", (*adminCall).underWay}},
		{"GET", "/admin/v1/waiting", read{grant.Find, "cursor", (*adminCall).waiting}},
		{"GET", "/admin/v1/callbacks", read{grant.Find, callbackFilters, (*adminCall).callbacks}},
		{"GET", "/admin/v1/addresses", read{grant.Find, "", (*adminCall).addresses}},
		{"GET", "/admin/v1/circuits", read{grant.Find, "", (*adminCall).circuits}},
		{"GET", "/admin/v1/operators", read{grant.Operators, "", (*adminCall).operators}},
		{"GET", "/admin/v1/audit", read{grant.OwnAudit, "from until cursor limit", (*adminCall).audit}},
		{"GET", "/admin/v1/audit/verify", read{grant.AllAudit, "from cursor", (*adminCall).verifyAudit}},
	}
	AdminAct = Routes{
		// To read in bulk is an act, which the audit log has: what only reads may write nothing, not even there.
		{"GET", "/admin/v1/export", read{grant.Sums, filters + " cursor format", (*adminCall).export}},
		{"POST", "/admin/v1/payments/{id}/refund", act[amountBody]{grant.Money, (*adminCall).refund}},
		{"POST", "/admin/v1/payments/{id}/capture", act[amountBody]{grant.Money, (*adminCall).capture}},
		{"POST", "/admin/v1/payments/{id}/void", act[because]{grant.Money, (*adminCall).void}},
		{"POST", "/admin/v1/payments/{id}/look-up", act[lookUpBody]{grant.LookUp, (*adminCall).lookUp}},
		{"POST", "/admin/v1/payments/{id}/settle", act[settleBody]{grant.Settle, (*adminCall).settle}},
		{"POST", "/admin/v1/payments/{id}/callbacks/{seq}/send", act[because]{grant.Callbacks, (*adminCall).sendOne}},
		{"POST", "/admin/v1/callbacks/send", act[sendBody]{grant.Callbacks, (*adminCall).sendMany}},
		{"POST", "/admin/v1/addresses/open", act[addressBody]{grant.Callbacks, (*adminCall).closeAddress}},
		{"POST", "/admin/v1/circuits/close", act[circuitBody]{grant.Circuits, (*adminCall).closeCircuit}},
		{"POST", "/admin/v1/operators/grant", act[grantBody]{grant.Operators, (*adminCall).grant}},
		{"POST", "/admin/v1/operators/revoke", act[revokeBody]{grant.Operators, (*adminCall).revoke}},
	}
)

// Admin returns every route of the admin API, for tests, documents and the local run. No Lambda function calls it.
func Admin() Routes { return slices.Concat(AdminRead, AdminAct) }
