package checkout

import (
	"cmp"
	"context"
	"fmt"

	"checkout/internal/request"
)

// TakeNotice takes an outcome that a provider reports by itself. A notice
// about a payment that is decided already changes nothing.
// Errors: CodeNotFound for a connector that takes none or a payment unknown to
// us; CodeNotAllowed for a notice that comes too early and has to come again.
func (s *Service) TakeNotice(ctx context.Context, connector string, body []byte) error {
	if s.Connectors == nil {
		return errNoConnectors
	}
	noticer, ok := s.Connectors[connector].(Noticer)
	if !ok {
		return errPayment()
	}
	notice, err := noticer.Notice(ctx, body)
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
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0) // it may be about a MID before: look what is true
		return nil
	}
	reference := notice.Reference
	if charge := p.charge(); reference == "" && charge != nil {
		reference = charge.Reference
	}
	err = s.apply(ctx, task{payment: p, session: sess, reference: cmp.Or(reference, p.Charged)}, notice.Result)
	if request.ErrorCode(err) == request.CodeNotAllowed {
		s.sendJob(ctx, JobMessage{PaymentID: p.ID, SessionID: p.SessionID}, 0) // to know when it comes again
	}
	return err
}

func errPayment() *request.Error {
	return request.Refuse(request.CodeNotFound, request.FaultPaymentNotFound, "Payment not found")
}
