package api

import (
	"slices"

	"checkout/internal/checkout"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/query"
	"checkout/internal/payer"
	"checkout/internal/worker"
)

// Services are what the routes lead to.
type Services struct {
	Core      *checkout.Core
	Creator   *merchant.Creator
	Statuses  *merchant.Statuses
	FollowUps *merchant.FollowUps
	Recurrer  *merchant.Recurrer
	Page      *payer.Page
	Notices   *worker.Notices
	Sandbox   Sandbox // nil where its pages are not served
	People    *operator.People
	Reader    *query.Reader
	Auditor   *operator.Auditor
	Actor     *operator.Actor
	Editor    *operator.Editor
	Previews  Previews
}

// All returns every route of the service, for tests, documents and the local run. No Lambda function calls it.
func All(s *Services) Routes {
	return slices.Concat(Session(s.Creator), Status(s.Statuses), Capture(s.FollowUps), Refund(s.FollowUps),
		Void(s.FollowUps), Recurring(s.Recurrer), Retry(s.Recurrer), Page(s.Page),
		Notify(s.Core, s.Notices, s.Sandbox), Reports(s.Core))
}

// Admin returns every route of the admin API, for tests, documents and the local run. No Lambda function calls it.
func Admin(s *Services) Routes {
	return slices.Concat(AdminRead(s.People, s.Reader, s.Auditor), AdminPreview(s.People, s.Previews),
		AdminAct(s.People, s.Reader, s.Actor, s.Previews.Trials), AdminSettings(s.People, s.Editor))
}
