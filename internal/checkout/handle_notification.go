package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/merchant"
	"checkout/internal/request"
)

// HandleNotification stores an outcome that a provider reports by itself to the
// address of a MID, and returns what the provider gets back. It is read with
// that MID's credentials, and counts for payments of its provider account alone.
// A notice about a request whose outcome is known already changes nothing.
// Errors: CodeNotFound for an address that does not exist, before anything secret
// is read, and for an unknown payment; CodeNotAuthentic; CodeNotAllowed for a
// notice that comes too early and has to come again.
func (s *Service) HandleNotification(
	ctx context.Context, address merchant.NoticeAddress, n Notification,
) (NoticeResponse, error) {
	if s.Connectors == nil {
		return NoticeResponse{}, errNoConnectors
	}
	now := s.Now()
	handler, ok := s.Connectors[address.Connector].(NotificationHandler)
	if !ok {
		address.MID = "" // no MID has an address for it
	}
	source, err := s.accountsOf().FindNoticeSource(ctx, address, now)
	if err != nil {
		return NoticeResponse{}, err
	}
	if len(n.Body) > request.MaxBody {
		return NoticeResponse{}, request.Refuse(request.CodeInvalid, request.FaultInvalid, "The body is too large.")
	}
	n.Credentials = source.MID.Credentials
	notice, err := handler.HandleNotification(ctx, n)
	switch {
	case errors.Is(err, ErrNotAuthentic):
		return NoticeResponse{}, request.Refuse(request.CodeNotAuthentic, request.FaultInvalid, "It is not authentic.")
	case err == nil:
		notice.Result, err = notice.Result.bounded()
	}
	if err != nil {
		return NoticeResponse{}, fmt.Errorf("read notice of %s: %w", address.Connector, err)
	}
	if notice.PaymentID == "" && notice.Response.Status != 0 {
		return notice.Response, nil
	}
	return notice.Response, s.applyNotice(ctx, now, source, notice)
}

// applyNotice applies what a notice says to its payment.
func (s *Service) applyNotice(ctx context.Context, now time.Time, source merchant.NoticeSource, notice Notice) error {
	p, sess, err := s.paymentAndSession(ctx, now, notice.PaymentID, notice.SessionID)
	if err != nil {
		return err
	}
	if p == nil {
		return ErrPaymentNotFound()
	}
	reported, err := p.reportedRequest(source, notice)
	if err != nil {
		return err
	}
	if reported.unclear {
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0) // looks up what is true
		return nil
	}
	if reported.earlier && notice.Result.disputes() {
		// The charge was declined here, and approved by the provider: nothing is reversed, an alarm goes off.
		notice.Result = Result{Outcome: OutcomeApproved}
	}
	err = s.apply(ctx, task{payment: p, session: sess, reference: reported.reference}, notice.Result)
	if request.ErrorCode(err) == request.CodeNotAllowed {
		// A look-up, so that the outcome is known when the notice comes again.
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0)
	}
	return err
}

// reportedRequest is the request that a notice is about.
type reportedRequest struct {
	reference string
	earlier   bool // a charge by another MID, before that of the payment now
	unclear   bool // it may be reported one or the other
}

// reportedRequest finds the request that a notice is about. Errors: CodeNotFound where the payment, or this part of
// it, was never sent to the source's account.
func (p *Payment) reportedRequest(source merchant.NoticeSource, notice Notice) (reportedRequest, error) {
	earlier := slices.DeleteFunc(p.earlierCharges(), func(t Transaction) bool {
		return !source.SharesAccount(p.Owner, t.Connector, p.Mapping, t.MID)
	})
	current := source.SharesAccount(p.Owner, p.Connector, p.Mapping, p.MID)
	charge := p.ChargeReference
	if job := p.Charge(); job != nil {
		charge = job.Reference
	}
	is := func(t Transaction) bool { return t.Reference == notice.Reference }
	switch {
	case slices.ContainsFunc(earlier, is):
		return reportedRequest{reference: notice.Reference, earlier: true}, nil
	case notice.Reference != "" && current && !slices.ContainsFunc(p.earlierCharges(), is):
		return reportedRequest{reference: notice.Reference}, nil
	case notice.Reference != "", !current && len(earlier) == 0:
		return reportedRequest{}, ErrPaymentNotFound()
	case !current:
		return reportedRequest{reference: earlier[len(earlier)-1].Reference, earlier: true}, nil
	}
	unclear := len(earlier) > 0 && p.Charge() != nil && !notice.Result.disputes()
	return reportedRequest{reference: charge, unclear: unclear}, nil
}

// earlierCharges are those that other MIDs declined before the payment went to its own.
func (p *Payment) earlierCharges() (all []Transaction) {
	for _, t := range p.Transactions {
		if t.Type == p.EventType(JobCharge) && t.Reference != p.ChargeReference && t.MID != "" {
			all = append(all, t)
		}
	}
	return all
}
