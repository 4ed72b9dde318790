package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/sensitive"
)

// settings collects the faults of the settings below one path of a merchant.
type settings struct {
	path       string
	faults     *[]fault.Fault
	connectors Declarations
	now        time.Time

	local bool
}

// Texts for operators.
const (
	textTwice    = "This value is used twice."
	textNegative = "This value should be 0 or more."
	textSandbox  = "The sandbox moves no money. Payments with the test key go to it whatever connector is named here."
)

func (c settings) at(name string, index ...int) settings {
	if c.path != "" {
		name = c.path + "." + name
	}
	for _, i := range index {
		name += fmt.Sprintf("[%d]", i)
	}
	c.path = name
	return c
}

func (c settings) fail(text string) {
	*c.faults = append(*c.faults, fault.Of(c.path, text))
}

func (c settings) failIf(bad bool, text string) {
	if bad {
		c.fail(text)
	}
}

// text checks a text that may be absent.
func (c settings) text(text string, find request.Check) {
	if text == "" {
		return
	}
	if fault := find(text); fault != "" {
		c.fail(fault)
	}
}

func (c settings) required(text string, find request.Check) {
	c.failIf(strings.TrimSpace(text) == "", method.TextBlank)
	c.text(text, find)
}

// each checks every text of a list, and that no two are the same.
func (c settings) each(name string, texts []string, find request.Check) {
	for i, text := range texts {
		c.at(name, i).required(text, find)
		c.at(name, i).failIf(slices.Contains(texts[:i], text), textTwice)
	}
}

// count checks that a number is between 0 and most.
func (c settings) count(n, most int) {
	c.failIf(n < 0, textNegative)
	c.failIf(n > most, fmt.Sprintf("This value should be %d or less.", most))
}

var (
	isKnownMethod    = request.OrElse(method.TextNotChoice, func(id string) bool { _, ok := method.Find(id); return ok })
	isKnownCurrency  = request.OrElse(method.TextNotChoice, request.IsCurrency)
	isKnownOperation = request.OneOf(method.Operations...)
	isKnownCountry   = request.OrElse(method.TextNotChoice, method.IsCountry)
	isKnownField     = request.OrElse(method.TextNotChoice, func(id string) bool {
		f, ok := method.FindPageField(id)
		return ok && !f.Sealed && f.When != method.BySession
	})
	isAppScheme = request.Valid("It should be the scheme of an app in lower case, without ://, and none of a system.",
		func(text string) bool { return text == strings.ToLower(text) && request.IsAppScheme(text) })
	isMethodName = request.Valid("It should have 1 to 40 printable characters, and no card number.",
		func(text string) bool {
			return method.LengthFault(text, 1, 40) == "" && fault.Printable(text, 40) == text && !sensitive.HasCard(text)
		})
	isRate = request.Valid("It should be a percentage such as 19 or 5.5.", func(text string) bool {
		_, err := money.ParseRate(text)
		return err == nil
	})
)

func (c settings) isKnownConnector(name string) bool {
	_, known := c.connectors[name]
	return known
}
