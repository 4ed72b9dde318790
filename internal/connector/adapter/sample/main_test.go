package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/adapter"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
)

// cards are those for which the bank has a behaviour in this test, since the suite chooses the amounts.
var cards = map[string]string{"4000000000000010": "905", "4000000000000028": "910", "4000000000000093": "later",
	"4000000000009979": "908"}

// TestConformance runs the suite of connectors against this adapter.
func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		b := newBank("https://bank.example", "key-1", "secret-1")
		b.choose = b.byCard
		faults := conformance.NewFaults(t, b, func(r *http.Request) bool { return r.URL.Path != "/lookup" })
		d := connector.Declarations()["adapter"]
		d.AnyAmount, d.SecondForm = false, false
		return conformance.Provider{
			Connector:   adapter.New(provider.Setup{Now: time.Now, Client: provider.NewClient()}),
			Declaration: d, Faults: faults,
			Credentials: map[string]string{"url": faults.URL, "key": "key-1", "secret": "secret-1"},
			Charge: func(behaviour conformance.Behaviour) connector.Charge {
				return chargeOf(map[conformance.Behaviour]string{
					conformance.Declines: "4000000000009979", conformance.DeclinesSoftly: "4000000000000010",
					conformance.RequiresAction: "4000000000000028",
				}[behaviour])
			},
			FollowedCharge: func(_ connector.RequestKind, behaviour conformance.Behaviour) connector.Charge {
				return chargeOf(map[conformance.Behaviour]string{conformance.Declines: "4000000000000093"}[behaviour])
			},
			Wallet: func(kind string, cardFlow bool, behaviour conformance.Behaviour) connector.Charge {
				if !cardFlow && behaviour >= conformance.Declines {
					return connector.Charge{} // the sample chooses by cards here, of which there is none
				}
				return conformance.WithWallet(kind, cardFlow, map[conformance.Behaviour]string{
					conformance.Approves: "4111111111111111", conformance.Declines: "4000000000009979",
					conformance.RequiresAction: "4000000000000028",
				}[behaviour])
			},
			Charges: func(_ *testing.T, reference string) int {
				b.mu.Lock()
				defer b.mu.Unlock()
				if b.operations[reference] == nil {
					return 0
				}
				return 1
			},
			Totals: b.totals,
			Confirm: func(_ *testing.T, reference string, confirmed bool) {
				b.decide(reference, map[bool]string{true: "approve", false: "refuse"}[confirmed])
			},
			Notify: b.notice, Forge: forge,
			Cannot: map[conformance.Behaviour]string{
				conformance.Waits: "the sample decides by itself after two seconds, for which this test does not wait",
			},
		}
	})
}

func chargeOf(number string) connector.Charge {
	if number == "" {
		number = "4111111111111111"
	}
	return connector.Charge{Method: "card", Card: card.Card{Number: number, SecurityCode: "123"}}
}

// byCard chooses by the card of a charge. Captures, voids and refunds of one card are declined.
func (b *bank) byCard(q request) string {
	if charge := b.operations[q.Charge.Reference]; charge != nil && cards[charge.Card.Number] == "later" {
		return "declined"
	}
	return cards[q.Card.Number]
}

func (b *bank) totals(_ *testing.T, reference string) conformance.Totals {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.operations[reference]
	all, _ := o.Amount.minor()
	return conformance.Totals{
		Authorised: int(all), Captured: int(o.captured), Refunded: int(o.captured - o.left), Voided: o.void,
	}
}

func (b *bank) notice(_ connector.RequestKind, reference string) connector.Notification {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, _ := json.Marshal(b.result(b.operations[reference]))
	header := http.Header{}
	b.sign(header, "notice_1", strconv.FormatInt(time.Now().Unix(), 10), string(body))
	return connector.Notification{Header: header, Body: body}
}

func forge(kind connector.RequestKind, reference, paymentID string, outcome connector.Outcome) connector.Notification {
	status := map[connector.Outcome]string{connector.OutcomeApproved: "approved"}[outcome]
	body, _ := json.Marshal(map[string]any{
		"kind": kind, "reference": reference, "payment": paymentID, "status": status, "disputed": "chargeback",
	})
	header := http.Header{}
	newBank("", "key-1", "another").sign(header, "notice_1", strconv.FormatInt(time.Now().Unix(), 10), string(body))
	return connector.Notification{Header: header, Body: body}
}

// TestSampleImportsTheStandardLibraryAlone keeps the sample something that can be copied.
func TestSampleImportsTheStandardLibraryAlone(t *testing.T) {
	var imports []*ast.ImportSpec
	for _, name := range []string{"main.go", "wallet.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		imports = append(imports, file.Imports...)
	}
	for _, spec := range imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") || strings.HasPrefix(path, "checkout") {
			t.Errorf("it imports %s", path)
		}
	}
	if len(imports) < 5 {
		t.Errorf("only %d imports were read", len(imports))
	}
}
