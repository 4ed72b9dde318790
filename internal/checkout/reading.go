package checkout

// reading is how the fields of a request are read: what a mapping sets of that.
type reading struct {
	name        NameRule
	askBilling  bool
	ownMethods  bool
	anyNumber   bool
	firstErrors bool
}

// laxest reads whatever any mapping might take, to find out which one it is.
var laxest = reading{NameOff, true, true, true, false}

// NameRule governs customer.name (core.md, customer): "" checks it when it
// is sent, "required" refuses a request without it, "off" takes any text.
type NameRule string

// The name rules.
const (
	NameChecked  NameRule = ""
	NameRequired NameRule = "required"
	NameOff      NameRule = "off"
)
