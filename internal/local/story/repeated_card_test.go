package story

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
)

// A provider repeats the card in its reason, its code, its other data or its error. Neither number nor security code is
// stored, logged, shown or sent to the merchant.
func TestProviderRepeatsTheCard(t *testing.T) {
	const number = "4111111111111111"
	grouped := "4111 1111 1111 1111"
	says := func(text string) connector.Result {
		return connector.Result{Outcome: connector.OutcomeDeclined, Reason: text, Code: text,
			ProviderData: connector.ProviderData{ExtraID: text, RRN: text, ApprovalCode: text, IssuerBank: text}}
	}
	for name, charge := range map[string]func(connector.Charge) (connector.Result, error){
		"declines": func(c connector.Charge) (connector.Result, error) {
			return says("Card " + c.Card.Number + " with code " + c.Card.SecurityCode + " was refused."), nil
		},
		"declines in groups": onCharge(says("Card " + grouped + " was refused.")),
		"with hyphens":       onCharge(says("Card 4111-1111-1111-1111 was refused.")),
		"alone":              onCharge(says(number)),
		"fails": func(c connector.Charge) (connector.Result, error) {
			return connector.Result{}, errors.New("card " + c.Card.Number + " with code " + c.Card.SecurityCode + ", " + grouped)
		},
		"sent nothing": func(c connector.Charge) (connector.Result, error) {
			return connector.Result{}, errors.Join(connector.ErrNotSent, errors.New("card "+c.Card.Number))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.repeats = true
			bank := &provider{charge: charge}
			bank.lookUp = func(connector.ProviderRequest) (connector.Result, error) {
				return connector.Result{}, errors.New("look-up of " + number)
			}
			w.goesLive(bank)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			w.pass(time.Minute)
			seen := []string{w.log.String(), words(payer.screen())}
			for _, record := range w.app.Store.Dump() {
				seen = append(seen, string(record.Doc))
			}
			_, status := w.shop.status("payment_id", payer.paymentID())
			seen = append(seen, fmt.Sprint(status))
			for _, text := range seen {
				digits := strings.NewReplacer(" ", "", "-", "").Replace(text)
				if strings.Contains(digits, number) || strings.Contains(text, "with code 9173") {
					t.Errorf("%s", text)
				}
			}
		})
	}
}
