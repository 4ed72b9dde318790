package conformance

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"checkout/internal/connector"
)

// abilities are the tests of what connectors declare.
var abilities = []test[Provider]{
	{"declared operations", declaredOperations},
	{"declared methods", declaredMethods},
	{"credentials", credentials},
	{"3-D Secure", threeDSecure},
	{"saved card", savedCard},
	{"without the payer", withoutPayer},
	{"any amount", anyAmount},
}

// declares skips the test if the connector does not declare what it is about.
func declares(t *testing.T, ability bool) {
	t.Helper()
	if !ability {
		t.Skip("this connector does not declare it")
	}
}

func declaredOperations(t *testing.T, p Provider) {
	for _, operation := range p.Declaration.Operations {
		c := p.charge(Approves)
		c.Operation, c.Reference = operation, "reference-of-"+string(operation)
		if r := wanted(t)(p.Connector.Charge(t.Context(), c)); r.Outcome != connector.OutcomeApproved {
			t.Errorf("%s: %+v", operation, r)
		}
	}
}

func declaredMethods(t *testing.T, p Provider) {
	declares(t, len(p.Declaration.Methods) > 0)
	for _, id := range p.Declaration.Methods {
		c := p.charge(Approves)
		if p.Method != nil {
			special := p.Method(id)
			c.Card, c.Parameters, c.BillingAddress = special.Card, special.Parameters, special.BillingAddress
			c.Wallet = special.Wallet
		}
		c.Method, c.Reference = id, "reference-of-"+id
		r := wanted(t)(p.Connector.Charge(t.Context(), c))
		if r.Outcome != connector.OutcomeApproved && r.Outcome != connector.OutcomeActionRequired {
			t.Errorf("%s: %+v", id, r)
		}
	}
}

// credentials checks that the MID's credentials are those that the connector declares, and that the connector says
// which one a MID lacks before it sends anything.
func credentials(t *testing.T, p Provider) {
	declares(t, len(p.Declaration.Credentials) > 0)
	for _, declared := range p.Declaration.Credentials {
		value, has := p.Credentials[declared.Name]
		if fault := declared.Fault(value, true); declared.Required && !has || has && fault != "" {
			t.Errorf("the MID's credential %s: %q", declared.Name, fault)
		}
	}
	for name := range p.Credentials {
		if !p.Declaration.HasCredential(name) {
			t.Errorf("the connector does not declare the credential %s", name)
		}
		c := p.charge(Approves)
		c.Reference, c.Credentials = "reference-without-"+name, maps.Clone(p.Credentials)
		delete(c.Credentials, name)
		r, err := p.Connector.Charge(t.Context(), c)
		lacks := errors.Is(err, connector.ErrNotSent) && strings.Contains(err.Error(), name)
		if (err != nil || r.Outcome == connector.OutcomeDeclined) && !lacks {
			t.Errorf("without the credential %s: %+v, %v", name, r, err)
		}
		if n := p.Charges(t, c.Reference); err != nil && n > 0 {
			t.Errorf("without the credential %s: %d charges", name, n)
		}
	}
}

func threeDSecure(t *testing.T, p Provider) {
	if p.Confirm == nil && p.Declaration.ThreeDSecure {
		t.Fatal("declaration.json has three_d_secure, but no payer is sent there: Confirm is nil")
	}
	p.requireAction(t)
	r := p.query(t, p.request(connector.RequestCharge, reference))
	if secure := r.RequiredAction.Kind == connector.Action3DS; secure != p.Declaration.ThreeDSecure {
		t.Errorf("the payer is sent to 3-D Secure: %v, declaration.json says: %v", secure, p.Declaration.ThreeDSecure)
	}
}

// savedCard charges a saved card, of which no security code is stored.
func savedCard(t *testing.T, p Provider) {
	declares(t, p.Declaration.SavedCards)
	c := p.charge(Approves)
	c.Card.SecurityCode = ""
	if r := wanted(t)(p.Connector.Charge(t.Context(), c)); r.Outcome != connector.OutcomeApproved {
		t.Errorf("returned %+v", r)
	}
}

// withoutPayer makes a later charge of a chain.
func withoutPayer(t *testing.T, p Provider) {
	declares(t, p.Declaration.Recurring)
	first := wanted(t)(p.Connector.Charge(t.Context(), p.charge(Approves)))
	c := p.charge(Approves)
	c.Reference, c.PaymentID = second, "payment-2"
	c.Recurring, c.InitialTransaction = true, first.ProviderID
	c.SessionID, c.ReturnURL, c.PayerIP, c.Card.SecurityCode = "", "", "", ""
	if r := wanted(t)(p.Connector.Charge(t.Context(), c)); r.Outcome != connector.OutcomeApproved {
		t.Errorf("returned %+v", r)
	}
}

func anyAmount(t *testing.T, p Provider) {
	declares(t, p.Declaration.AnyAmount)
	if p.Address == nil { // the tests of addresses have a charge of any amount
		t.Error("it is declared, but no payer enters an amount")
	}
}
