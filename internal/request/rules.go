package request

// Rules is how the fields of a request are read: what a mapping sets of that.
type Rules struct {
	Name        NameRule
	AskBilling  bool // what can't be used of customer and billing_address is left out
	OwnMethods  bool // methods that the merchant does not have are left out, unless none is left
	AnyNumber   bool // order.number may have any printable characters
	FirstErrors bool // a single fault is the top message, too
}

// NameRule governs customer.name (core.md, customer): "" checks it when it
// is sent, "required" refuses a request without it, "off" takes any text.
type NameRule string

// The name rules.
const (
	NameChecked  NameRule = ""
	NameRequired NameRule = "required"
	NameOff      NameRule = "off"
)

// A session request is read before it is known which mapping it is routed to, because its fields decide that. So it is
// read once for all rules: each fault that only some rules make a fault is noted together with them.

// outcome is what becomes of a fault.
type outcome int

const (
	refused outcome = iota // the request is refused
	leftOut                // the value is left out, and the merchant told so
	ignored                // it is none
)

// condition says what becomes of a fault under some rules.
type condition func(Rules) outcome

// finding is a fault that was found, with what it depends on.
type finding struct {
	Fault
	under condition // nil: it refuses the request under all rules
}

// findings are the faults of one request, in the order in which they were found.
type findings struct {
	all     []finding
	certain int // of them, under all rules
}

// add notes a fault, unless there are enough already.
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

// under returns the faults for which a request is refused, and what is left out of it, under the rules of a mapping.
func (f *findings) under(rules Rules) (faults []Fault, without []string) {
	for _, one := range f.all {
		become := refused
		if one.under != nil {
			become = one.under(rules)
		}
		switch {
		case become == leftOut:
			without = append(without, one.String())
		case become == refused && len(faults) < maxFaults:
			faults = append(faults, one.Fault)
		}
	}
	return faults, without
}

// ofPayer is the condition of a fault of customer and billing_address: with `billing: ask` the page asks for the value.
func ofPayer(rules Rules) outcome {
	if rules.AskBilling {
		return leftOut
	}
	return refused
}

// ofName is the condition of a fault of a customer.name that is checked. One that is required is not optional.
func ofName(rules Rules) outcome {
	switch rules.Name {
	case NameOff:
		return ignored
	case NameRequired:
		return refused
	}
	return ofPayer(rules)
}

// ofAnyName is the condition of a fault of a customer.name that may be any text.
func ofAnyName(rules Rules) outcome {
	if rules.Name != NameOff {
		return ignored
	}
	return ofPayer(rules)
}

// ofMissingName is the condition of a missing customer.name.
func ofMissingName(rules Rules) outcome { return refusedIf(rules.Name == NameRequired) }

// ofNumber is the condition of a fault of an order.number with the characters of core.md.
func ofNumber(rules Rules) outcome { return refusedIf(!rules.AnyNumber) }

// ofAnyNumber is the condition of a fault of an order.number with any characters.
func ofAnyNumber(rules Rules) outcome { return refusedIf(rules.AnyNumber) }

// ofForeignMethod is the condition of what is wrong with a method beside one that the merchant has.
func ofForeignMethod(rules Rules) outcome { return refusedIf(!rules.OwnMethods) }

// notOwnMethod is the condition of leaving such a method out.
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

// way is a way to read a text, and the condition of its faults.
type way struct {
	under  condition
	checks []Check
}

// either reads a text that rules differ about. lax takes all that strict takes.
func (f Reader) either(name string, strict, lax way) (byStrict, byLax string) {
	v := f.value(name)
	text, fault := v.checked(strict.checks)
	if fault == "" {
		return text, text
	}
	f.depends(strict.under).Fail(name, fault)
	if text, fault = v.checked(lax.checks); fault != "" {
		f.depends(lax.under).Fail(name, fault)
	}
	return "", text
}

var (
	plainNumber = way{ofNumber, []Check{UpTo(255), orderNumber(false)}}
	anyNumber   = way{ofAnyNumber, []Check{UpTo(255), orderNumber(true)}}
	checkedName = way{ofName, []Check{lengthBetween(2, 200), isCustomerName}}
	anyName     = way{ofAnyName, []Check{UpTo(200)}}
)
