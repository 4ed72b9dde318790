package checkout

import (
	"encoding/json"
	"fmt"
	"strings"

	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/request"
)

// newCharge is what a job sends to its MID, without the card.
func (s *Service) newCharge(p *Payment, job *Job, mid merchant.MID) (Charge, error) {
	request := ProviderRequest{
		Kind: job.Kind, Reference: job.Reference, OriginalReference: p.ChargeReference, ProviderID: p.ProviderID,
		PaymentID: p.ID, SessionID: p.SessionID, Credentials: mid.Credentials, NoticeURL: s.noticeURL(p),
	}
	var err error
	if request.Amount, request.PayerEntersAmount, err = p.requestAmount(job); err != nil {
		return Charge{}, err
	}
	parameters, err := p.methodParameters()
	if err != nil {
		return Charge{}, err
	}
	c := Charge{
		ProviderRequest: request,
		Operation:       p.Operation, Method: p.Method, Description: p.Order.Description,
		Auth: p.Auth, Recurring: p.Recurring, InitialTransaction: p.InitialTransaction,
		CardName: job.CardName, Parties: p.Parties, PayerIP: p.PayerIP,
		Network: p.Network, Parameters: parameters,
	}
	if p.SessionID != "" {
		c.ReturnURL = s.BaseURL + "/page/v1/" + p.SessionID + "/return"
	}
	return c, nil
}

// requestAmount is the amount of a job's request, or no money of its currency where the payer enters it at the provider.
func (p *Payment) requestAmount(job *Job) (amount money.Amount, payerEnters bool, err error) {
	amount = job.Amount
	if job.Kind == JobCharge {
		amount = p.Amount
	}
	switch {
	case amount.IsZero():
		return money.Zero(request.CurrencyOf(p.Order)), true, nil
	case amount.Currency().Code == "":
		return amount, false, p.unknownCurrency()
	}
	return amount, false, nil
}

// methodParameters is the object of the chosen method among the parameters that the merchant sent, nil if there is
// none.
func (p *Payment) methodParameters() (json.RawMessage, error) {
	if p.Parameters == nil {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(p.Parameters, &all); err != nil {
		return nil, fmt.Errorf("stored parameters of payment %s can't be read", p.ID)
	}
	return all[p.Method], nil
}

// noticeURL is where the provider of a payment's MID reports to.
func (s *Service) noticeURL(p *Payment) string {
	return s.BaseURL + merchant.NoticeAddressOf(p.Connector, p.Merchant, p.Mapping, p.MID).Path()
}

// NoticeAddress reads the address that a connector was given as ProviderRequest.NoticeURL.
func (s *Service) NoticeAddress(url string) merchant.NoticeAddress {
	return merchant.ParseNoticePath(strings.TrimPrefix(url, s.BaseURL))
}
