package api

import (
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
)

// AdminAct returns the routes of what operators do, as AdminRead does.
func AdminAct(
	people *operator.People, reader *query.Reader, actor *operator.Actor, trials *merchant.Trials,
) Routes {
	a := adminActs{admission{people, reader}, actor, trials}
	may := a.admission
	return Routes{
		// To read in bulk is an act, which the audit log has with its filters and how much was read.
		{"GET", "/admin/v1/export", read{may, grant.Sums, filters + " zone cursor format", a.export}},
		{"POST", "/admin/v1/payments/{id}/refund", act[refundBody]{may, grant.Money, a.refund}},
		{"POST", "/admin/v1/payments/{id}/capture", act[amountBody]{may, grant.Money, a.capture}},
		{"POST", "/admin/v1/payments/{id}/void", act[because]{may, grant.Money, a.void}},
		{"POST", "/admin/v1/payments/{id}/retry", act[because]{may, grant.Money, a.retry}},
		{"POST", "/admin/v1/chains/{id}/stop", act[because]{may, grant.Money, a.stopChain}},
		{"POST", "/admin/v1/chains/{id}/resume", act[because]{may, grant.Money, a.resumeChain}},
		{"POST", "/admin/v1/chains/{id}/move", act[dayBody]{may, grant.Money, a.moveChain}},
		{"POST", "/admin/v1/chains/{id}/lower", act[lowerBody]{may, grant.Money, a.lowerChain}},
		{"POST", "/admin/v1/payments/{id}/look-up", act[lookUpBody]{may, grant.LookUp, a.lookUp}},
		{"POST", "/admin/v1/payments/{id}/settle", act[settleBody]{may, grant.Settle, a.settle}},
		{"POST", "/admin/v1/payments/{id}/note", act[noteBody]{may, grant.Notes, a.note}},
		{"POST", "/admin/v1/payments/{id}/end-session", act[because]{may, grant.EndSession, a.endCheckout}},
		{"POST", "/admin/v1/payments/{id}/callbacks/{seq}/send", act[because]{may, grant.Callbacks, a.sendOne}},
		{"POST", "/admin/v1/callbacks/send", act[sendBody]{may, grant.Callbacks, a.sendMany}},
		{"POST", "/admin/v1/addresses/open", act[addressBody]{may, grant.Callbacks, a.closeAddress}},
		{"POST", "/admin/v1/circuits/close", act[circuitBody]{may, grant.Circuits, a.closeCircuit}},
		{"POST", "/admin/v1/blocks/add", act[blockBody]{may, grant.Blocks, a.block}},
		{"POST", "/admin/v1/blocks/remove", act[unblockBody]{may, grant.Blocks, a.unblock}},
		{"POST", "/admin/v1/try", act[tryBody]{may, grant.Settings, a.try}},
		{"POST", "/admin/v1/approvals/{approval}/approve", act[because]{may, grant.Money, a.approve}},
		{"POST", "/admin/v1/approvals/{approval}/reject", act[because]{may, grant.Money, a.reject}},
		{"POST", "/admin/v1/operators/limit", act[limitBody]{may, grant.Operators, a.limit}},
		{"POST", "/admin/v1/operators/grant", act[grantBody]{may, grant.Operators, a.grant}},
		{"POST", "/admin/v1/operators/revoke", act[revokeBody]{may, grant.Operators, a.revoke}},
		{"POST", "/admin/v1/forget", act[forgetBody]{may, grant.Operators, a.forget}},
		{"POST", "/admin/v1/sessions/end", act[sessionBody]{may, grant.Operators, a.endSession}},
	}
}
