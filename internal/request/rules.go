package request

// Rules is how the fields of a request are read: what a mapping sets of that.
type Rules struct {
	Name        NameRule
	AskBilling  bool
	OwnMethods  bool
	AnyNumber   bool
	FirstErrors bool
}

// Laxest reads whatever any mapping might take, to find out which one it is.
var Laxest = Rules{NameOff, true, true, true, false}

// NameRule governs customer.name (core.md, customer): "" checks it when it
// is sent, "required" refuses a request without it, "off" takes any text.
type NameRule string

// The name rules.
const (
	NameChecked  NameRule = ""
	NameRequired NameRule = "required"
	NameOff      NameRule = "off"
)
