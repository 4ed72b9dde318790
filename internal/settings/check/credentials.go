package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/settings"
)

// textNoCredential follows the name of a connector.
const textNoCredential = "has no such credential."

// credentials checks a MID's credentials by the declaration of its connector. Every MID may have those of the sandbox,
// too, because payments with the test key go there.
func (c checker) credentials(m settings.MID) {
	can, known := c.connectors[m.Connector]
	if !known {
		return // the connector's own check reports that
	}
	if m.Connector != settings.SandboxConnector {
		can.Credentials = slices.Concat(can.Credentials, c.connectors[settings.SandboxConnector].Credentials)
	}
	at := c.at("credentials")
	for _, credential := range can.Credentials {
		at := at.at(credential.Name)
		if value := m.Credentials[credential.Name]; value != "" || credential.RequiredFor(m) && at.lacks(value) {
			at.required(value, func(value string) string { return credential.Fault(value, c.local) })
			if credential.Kind == settings.KindCurrency {
				at.possibleCurrency(m, value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Credentials)) {
		if !can.HasCredential(name) {
			at.at(name).fail(method.NotValid(fmt.Sprintf("The connector %s %s", m.Connector, textNoCredential)))
		}
	}
}

// possibleCurrency checks that a currency is one that the MID can have: the connector's account is in it, and a market
// of the MID's methods has it.
func (c checker) possibleCurrency(m settings.MID, code string) {
	if _, known := money.Find(code); !known {
		return // the currency's own check reports that
	}
	account, marketOfMID := "", ""
	for _, credential := range c.connectors[m.Connector].Credentials {
		switch credential.Kind {
		case settings.KindCurrency:
			account = m.Credentials[credential.Name]
		case settings.KindMarket:
			marketOfMID = m.Credentials[credential.Name]
		}
	}
	c.failIf(account != "" && code != account, method.NotValid("The MID's account has another currency."))
	markets, everywhere := m.Markets(marketOfMID)
	possible := everywhere || slices.ContainsFunc(markets, func(country string) bool {
		return method.HasCurrency(country, code)
	})
	c.failIf(!possible, method.NotValid(fmt.Sprintf("The MID's markets (%s) have another currency.",
		strings.Join(markets, ", "))))
}
