package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/sensitive"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Notices takes providers' notices. NewNotices makes one.
type Notices struct {
	core    *checkout.Core
	jobs    checkout.Jobs
	results results

	Connectors map[string]connector.Connector
}

// NewNotices makes what takes the notices of the connectors' providers.
func NewNotices(core *checkout.Core, queues Queues, connectors map[string]connector.Connector) *Notices {
	return &Notices{
		core: core, jobs: checkout.NewJobs(core, queues), results: results{core, queues}, Connectors: connectors,
	}
}

// HandleNotification stores an outcome that a provider reports to the notice address of a MID, and returns the response
// to the provider. The notification is read with that MID's credentials and applies only to payments of the same
// provider account. If the outcome is known already, nothing changes. A notice to an address of no MID is read without
// credentials, with the same reads and response as one that is forged: guesses do not tell which MIDs exist.
// Errors: CodeNotFound for an unknown payment, for a notice that names what is not the payment's, and for a connector
// without notices; CodeNotAuthentic; CodeInvalid for an authentic one that can't be read, or that does not fit the
// payment; CodeTooMany, and CodeTooEarly for what comes before the success that it follows, so that the provider sends
// it again.
func (s *Notices) HandleNotification(
	ctx context.Context, address settings.NoticeAddress, n connector.Notification,
) (connector.NoticeResponse, error) {
	now := s.core.Now()
	handler, ok := s.Connectors[address.Connector].(connector.NotificationHandler)
	if !ok { // no MID of such a connector has a notice address
		return connector.NoticeResponse{}, s.countUnknown(ctx, address, errNoticeAddress())
	}
	source, err := s.core.Accounts().FindNoticeSource(ctx, address, now)
	if err != nil {
		return connector.NoticeResponse{}, err
	}
	if len(n.Body) > request.MaxBody {
		return connector.NoticeResponse{}, fault.Refuse(fault.CodeInvalid, "The body is too large.")
	}
	if n.Credentials, err = source.MID.OpenCredentials(ctx); err != nil {
		return connector.NoticeResponse{}, err
	}
	notice, err := handler.HandleNotification(ctx, n)
	if err != nil {
		return connector.NoticeResponse{}, s.refuseUnread(ctx, address, source, err)
	}
	if notice.PaymentID == "" && notice.Response.Status != 0 {
		return notice.Response, s.countUnknown(ctx, address, nil)
	}
	err = s.applyNotice(ctx, now, source, notice)
	switch {
	case errors.Is(err, connector.ErrOtherAmount):
		return connector.NoticeResponse{}, s.refuseUnreadable(ctx, address, err)
	case err != nil:
		return notice.Response, s.countUnknown(ctx, address, err)
	}
	return notice.Response, nil
}

func errNoticeAddress() error {
	return fault.Refuse(fault.CodeNotFound, "Notice address does not exist.")
}

// countUnknown measures a notice about nothing of ours, unless an error says something else, and returns the error. The
// connector is no dimension of the metric, because whoever sends something to an unknown address chooses its name.
func (s *Notices) countUnknown(ctx context.Context, address settings.NoticeAddress, err error) error {
	if err != nil && fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	line := metric.Line{
		Message: "unknown notice", Test: address.Connector == settings.SandboxConnector,
		Metrics: []metric.Metric{metric.Count("unknown_notices")},
	}
	s.core.Measure(ctx, line, slog.String("connector", fault.Printable(address.Connector, connector.MaxCode)))
	return err
}

// refuseUnread returns the error of a notice that its connector did not read.
func (s *Notices) refuseUnread(
	ctx context.Context, address settings.NoticeAddress, source settings.NoticeSource, err error,
) error {
	switch {
	case errors.Is(err, connector.ErrNotAuthentic):
		if !source.Known() {
			_ = s.countUnknown(ctx, address, nil)
		}
		return fault.Refuse(fault.CodeNotAuthentic, "It is not authentic.")
	case errors.Is(err, connector.ErrTooManyNotices):
		return &fault.Error{
			Code: fault.CodeTooMany, RetryAfter: 10,
			Faults: []fault.Fault{{Number: fault.NumberInvalid, Text: "Too many notices about one request."}},
		}
	case errors.Is(err, connector.ErrUnreadable):
		return s.refuseUnreadable(ctx, address, err)
	}
	text := payment.MaskLong(sensitive.Finder{}, err.Error())
	return fmt.Errorf("read notice of %s: %s", address.Connector, text) // without what it may repeat
}

// refuseUnreadable measures an authentic notice that can't be read, and returns the error that says why. It is about no
// failure of ours, which would call for the notice again.
func (s *Notices) refuseUnreadable(ctx context.Context, address settings.NoticeAddress, cause error) error {
	text := fault.Printable(payment.MaskLong(sensitive.Finder{}, cause.Error()), fault.MaxErrorText)
	line := metric.Line{
		Message: "unreadable notice", Test: address.Connector == settings.SandboxConnector,
		Metrics: []metric.Metric{metric.Count("unreadable_notices")},
	}
	s.core.Measure(ctx, line, slog.String("connector", address.Connector), slog.String("error", text))
	return fault.Refuse(fault.CodeInvalid, text)
}

// applyNotice applies what a notice says to its payment.
func (s *Notices) applyNotice(
	ctx context.Context, now time.Time, source settings.NoticeSource, notice connector.Notice,
) error {
	p, sess, err := s.core.PaymentAndSession(ctx, now, notice.PaymentID, "")
	if err != nil {
		return err
	}
	if p == nil || !isNamedBy(p, notice) {
		return payment.ErrNotFound()
	}
	reported, err := findReported(p, source, notice)
	if err != nil {
		return err
	}
	t := checkout.Task{Payment: p, Session: sess, Reference: reported.reference, Reported: true}
	read := report{core: s.core, task: t}
	if sess != nil {
		read.charge.ExpiresAt = payUntil(p, sess, source.MID)
	}
	if notice.Result, err = read.checkResult(ctx, notice.Result); err != nil {
		return s.refuseNotice(ctx, t, err)
	}
	if reported.unclear {
		s.jobs.Send(ctx, p.Message(""), 0) // to look the outcome up
		return nil
	}
	if other := otherAmount(p, reported.reference, notice); other != nil {
		err = s.applyOtherAmount(ctx, read, notice, other)
	} else {
		err = s.results.apply(ctx, t, notice.Result)
	}
	if err == nil { // should a worker have been killed before
		err = s.results.applyHeldDispute(ctx, checkout.Task{Payment: p, Session: sess})
	}
	if fault.CodeOf(err) == fault.CodeTooEarly {
		s.jobs.Send(ctx, p.Message(""), 0) // to look the outcome up, so that it is known when the notice comes again
	}
	return err
}

// isNamedBy reports whether everything that a notice names beside the payment is the payment's own: its session, a
// request of it, and that request's kind (protocol.md, Notices of providers).
func isNamedBy(p *payment.Payment, notice connector.Notice) bool {
	if notice.SessionID != "" && notice.SessionID != store.PublicID(p.SessionID) {
		return false
	}
	kind, known := payment.JobCharge, true
	if notice.Reference != "" {
		kind, known = p.Requests().Kind(notice.Reference)
	}
	return known && (notice.Kind == "" || notice.Kind == connector.RequestKind(kind))
}

// refuseNotice refuses a notice that can't be stored. The request is looked up, as after such a response.
func (s *Notices) refuseNotice(ctx context.Context, t checkout.Task, err error) error {
	var action *connector.ActionError
	if !errors.As(err, &action) {
		return err
	}
	s.results.measureRefused(ctx, t.Payment, action, false)
	s.jobs.Send(ctx, t.Payment.Message(""), 0)
	return fault.Refuse(fault.CodeInvalid, action.Error())
}

// otherAmount returns the ErrOtherAmount of an approval that is not of the amount of its request, nil of any other
// notice.
func otherAmount(p *payment.Payment, reference string, notice connector.Notice) error {
	if notice.OtherAmount != nil || notice.Requested == nil || notice.Result.Outcome != connector.OutcomeApproved {
		return notice.OtherAmount
	}
	job := p.Jobs.Find(reference)
	if of := p.Transactions.Ended(reference); job == nil && of != nil {
		job = &payment.Job{Kind: payment.JobLookUp, Reference: reference, Amount: of.Amount}
	}
	if job == nil {
		return nil
	}
	amount, payerEnters, err := p.Requests().Amount(job)
	if err == nil && (payerEnters && notice.Requested.IsZero() || amount == *notice.Requested) {
		return nil
	}
	return connector.OtherAmountError{Moved: *notice.Requested, Requested: amount}
}

// applyOtherAmount applies the approval of another amount than was asked for. It is none of a request without an
// outcome, which is looked up, and contradicts the decline of one. Errors: CodeTooEarly of a request without an
// outcome, so that the notice comes again should that be a decline; the connector's ErrOtherAmount of a success.
func (s *Notices) applyOtherAmount(
	ctx context.Context, read report, notice connector.Notice, other error,
) error {
	found := read.findingOf(connector.Result{}, other, s.core.Now())
	_, err := s.results.changeAndNotify(ctx, read.task, func(t checkout.Task, now time.Time) (payment.Effects, error) {
		switch job := t.Job(); {
		case job != nil && job.Kind.Sends():
			return payment.Effects{}, fault.Refuse(fault.CodeTooEarly,
				"The outcome of the request is not known yet.")
		case !t.Payment.Transactions.WasDeclined(t.Reference):
			return payment.Effects{}, notice.OtherAmount
		}
		return s.results.lateEffects(ctx, t, payment.ParsedResult{Result: notice.Result, Other: found}, now)
	})
	return err
}

// reportedRequest is the request that a notice is about.
type reportedRequest struct {
	reference string
	unclear   bool // it is either a charge that an earlier MID has declined, or the current one
}

// findReported finds the request that a notice is about. Errors: CodeNotFound if the source's account never
// received that request.
func findReported(p *payment.Payment, source settings.NoticeSource, notice connector.Notice) (reportedRequest, error) {
	earlier := slices.DeleteFunc(earlierCharges(p), func(t payment.Transaction) bool {
		return !source.SharesAccount(p.Owner, t.Connector, p.Mapping, t.MID)
	})
	current := source.SharesAccount(p.Owner, p.Connector, p.Mapping, p.MID)
	charge := p.ChargeReference
	if job := p.Jobs.Charge(); job != nil {
		charge = job.Reference
	}
	is := func(t payment.Transaction) bool { return t.Reference == notice.Reference }
	mid, connector, givesBack := p.Requests().PlaceOfGiveBack(notice.Reference)
	switch {
	case givesBack && source.SharesAccount(p.Owner, connector, p.Mapping, mid):
		return reportedRequest{reference: notice.Reference}, nil
	case givesBack:
		return reportedRequest{}, payment.ErrNotFound()
	case slices.ContainsFunc(earlier, is):
		return reportedRequest{reference: notice.Reference}, nil
	case notice.Reference != "" && current && !slices.ContainsFunc(earlierCharges(p), is):
		return reportedRequest{reference: notice.Reference}, nil
	case notice.Reference != "", !current && len(earlier) == 0:
		return reportedRequest{}, payment.ErrNotFound()
	case !current:
		return reportedRequest{reference: earlier[len(earlier)-1].Reference}, nil
	}
	unclear := len(earlier) > 0 && p.Jobs.Charge() != nil && !notice.Result.FollowsSuccess()
	return reportedRequest{reference: charge, unclear: unclear}, nil
}

// earlierCharges are the charges that other MIDs declined before the payment's current one.
func earlierCharges(p *payment.Payment) (all []payment.Transaction) {
	for _, t := range p.Transactions {
		if t.Type == p.EventType(payment.JobCharge) && t.Reference != p.ChargeReference && t.MID != "" {
			all = append(all, t)
		}
	}
	return all
}
