package request

import (
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
)

// Rules are the settings of a mapping for reading requests.
type Rules struct {
	Name        NameRule
	AskBilling  bool // fields of customer and billing_address that are not valid are left out
	OwnMethods  bool // methods that the merchant does not have are left out, unless none is left
	AnyNumber   bool // order.number may have any printable characters
	FirstErrors bool // the text of a single fault is the top error_message, too
	OwnAddress  bool // callbacks go to the address that the session names

	// ReturnSchemes are the app schemes that return URLs may have, each between spaces; "": all of IsAppScheme.
	ReturnSchemes string
}

// OnlySchemes returns ReturnSchemes with these and no others; nil: all.
func OnlySchemes(schemes []string) string {
	if schemes == nil {
		return ""
	}
	return " " + strings.Join(schemes, " ") + " "
}

// NameRule says how customer.name is checked (protocol.md, Customer).
type NameRule string

// The name rules.
const (
	NameChecked  NameRule = ""         // has to be valid if it is sent
	NameRequired NameRule = "required" // has to be sent and valid
	NameOff      NameRule = "off"      // may be any text
)

// The fields of a session request decide which mapping it is routed to, and the mapping decides how fields are checked.
// So a request is read once for all rules: a fault that depends on the rules is stored with a condition, and so is one
// that depends on what else the merchant has. Whoever has no valid hash is told only the faults without a condition,
// which are the same for all merchants.

// outcome is the effect of a fault.
type outcome int

const (
	refused outcome = iota // the request is refused
	leftOut                // the value is left out, and the merchant is told so
	ignored                // under these rules it is not a fault
)

// condition returns the outcome of a fault under some rules.
type condition func(Rules) outcome

// finding is a fault with its condition.
type finding struct {
	fault.Fault
	under condition // nil: it refuses the request of every merchant
}

// findings are the faults of one request, in the order in which they were found.
type findings struct {
	all     []finding
	certain int // how many of them have no condition
}

// add adds faults, up to maxFaults of those without a condition.
func (f *findings) add(found ...finding) {
	for _, one := range found {
		if f.certain >= maxFaults {
			return
		}
		if one.under == nil {
			f.certain++
		}
		f.all = append(f.all, one)
	}
}

// under returns the faults for which a request is refused under the rules of a mapping, and those for which a value is
// left out.
func (f *findings) under(rules Rules) (faults []fault.Fault, without []string) {
	for _, one := range f.all {
		result := refused
		if one.under != nil {
			result = one.under(rules)
		}
		switch {
		case result == leftOut:
			without = append(without, one.String())
		case result == refused && len(faults) < maxFaults:
			faults = append(faults, one.Fault)
		}
	}
	return faults, without
}

// forEverybody returns the faults without a condition.
func (f *findings) forEverybody() (faults []fault.Fault) {
	for _, one := range f.all {
		if one.under == nil {
			faults = append(faults, one.Fault)
		}
	}
	return faults
}

// ofMerchant is the condition of faults that depend on what the merchant has, whatever the rules.
func ofMerchant(Rules) outcome { return refused }

// ofPayer is the condition of faults of customer and billing_address: with `billing: ask` the page asks for the value.
func ofPayer(rules Rules) outcome {
	if rules.AskBilling {
		return leftOut
	}
	return refused
}

// ofTyped is the condition of faults of what can be read although it is not written as usual.
func ofTyped(rules Rules) outcome { return refusedIf(!rules.AskBilling) }

// ofName is the condition of faults of a customer.name by the check of protocol.md, Customer.
func ofName(rules Rules) outcome {
	switch rules.Name {
	case NameOff:
		return ignored
	case NameRequired:
		return refused
	}
	return ofPayer(rules)
}

// ofAnyName is the condition of faults of a customer.name by the check for any text.
func ofAnyName(rules Rules) outcome {
	if rules.Name != NameOff {
		return ignored
	}
	return ofPayer(rules)
}

// ofMissingName is the condition of a missing customer.name.
func ofMissingName(rules Rules) outcome { return refusedIf(rules.Name == NameRequired) }

// ofNumber is the condition of faults of an order.number by the check of protocol.md, Order.
func ofNumber(rules Rules) outcome { return refusedIf(!rules.AnyNumber) }

// ofAnyNumber is the condition of faults of an order.number by the check for any characters.
func ofAnyNumber(rules Rules) outcome { return refusedIf(rules.AnyNumber) }

// ofAddress is the condition of faults of an address for callbacks.
func ofAddress(rules Rules) outcome { return refusedIf(rules.OwnAddress) }

// ofScheme returns the condition by which a return URL with an app's scheme is not valid.
func ofScheme(scheme string) condition {
	return func(rules Rules) outcome {
		return refusedIf(rules.ReturnSchemes != "" && !strings.Contains(rules.ReturnSchemes, " "+scheme+" "))
	}
}

// ofForeignMethod is the condition of faults of a method that the merchant does not have, if the request also names one
// that it has.
func ofForeignMethod(rules Rules) outcome { return refusedIf(!rules.OwnMethods) }

// notOwnMethod is the condition by which such a method is left out.
func notOwnMethod(rules Rules) outcome {
	if rules.OwnMethods {
		return leftOut
	}
	return ignored
}

func refusedIf(is bool) outcome {
	if is {
		return refused
	}
	return ignored
}

// way is a way to check a text, and the condition of its faults.
type way struct {
	under  condition
	checks []Check
}

// either reads a text in two ways, since rules differ about it. lax accepts everything that strict accepts. Of what
// payers type, control characters are left out.
func (f Reader) either(name string, strict, lax way) (byStrict, byLax string) {
	v := f.value(name)
	if f.under != nil && v.kind == kindText && method.HasControl(v.text) {
		f.depends(ofTyped).Fail(name, method.NotValid(method.RuleText))
		v.text = method.WithoutControl(v.text)
	}
	text, fault := v.checked(strict.checks)
	if fault == "" {
		return text, text
	}
	text, laxFault := v.checked(lax.checks)
	if fault == laxFault {
		f.Fail(name, fault)
		return "", ""
	}
	f.depends(strict.under).Fail(name, fault)
	if laxFault != "" {
		f.depends(lax.under).Fail(name, laxFault)
	}
	return "", text
}

var (
	plainNumber = way{ofNumber, []Check{UpTo(255), orderNumber(false)}}
	anyNumber   = way{ofAnyNumber, []Check{UpTo(255), orderNumber(true)}}
	checkedName = way{ofName, []Check{lengthBetween(2, 200), isCustomerName}}
	anyName     = way{ofAnyName, []Check{UpTo(200)}}
)
