package checkout

import (
	"cmp"
	"context"
	"fmt"

	"checkout/internal/request"
)

// HandleNotification stores an outcome that a provider reports by itself. A notice
// about a request whose outcome is known already changes nothing.
// Errors: CodeNotFound for a connector without notices or an unknown payment;
// CodeNotAllowed for a notice that comes too early and has to come again.
func (s *Service) HandleNotification(ctx context.Context, connector string, n Notification) error {
	if s.Connectors == nil {
		return errNoConnectors
	}
	handler, ok := s.Connectors[connector].(NotificationHandler)
	if !ok {
		return errPayment()
	}
	notice, err := handler.HandleNotification(ctx, n)
	if err == nil {
		notice.Result, err = notice.Result.bounded()
	}
	if err != nil {
		return fmt.Errorf("read notice of %s: %w", connector, err)
	}
	p, sess, err := s.paymentAndSession(ctx, s.Now(), notice.PaymentID, notice.SessionID)
	if err != nil {
		return err
	}
	if p == nil || p.Connector != connector {
		return errPayment()
	}
	request.NoteOf(ctx).Merchant = p.Owner.Merchant
	if notice.Reference == "" && !notice.Result.takesBack() && p.tried() > 0 && p.charge() != nil {
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0) // it may be about another MID that was tried before: look up
		return nil
	}
	reference := notice.Reference
	if charge := p.charge(); reference == "" && charge != nil {
		reference = charge.Reference
	}
	err = s.apply(ctx, task{payment: p, session: sess, reference: cmp.Or(reference, p.Charged)}, notice.Result)
	if request.ErrorCode(err) == request.CodeNotAllowed {
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0) // so that the outcome is known when the notice comes again
	}
	return err
}

func errPayment() *request.Error {
	return request.Refuse(request.CodeNotFound, request.FaultPaymentNotFound, "Payment not found")
}
