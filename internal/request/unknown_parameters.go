package request

import (
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
)

// maxUnknown is the most unknown parameters that are reported, and maxUnknownName the most characters of a name.
const (
	maxUnknown     = 20
	maxUnknownName = 64
)

// findUnknown reports parameters that no method has, or none that can be used, so that a merchant knows that they are
// not used: members of parameters, and of the objects of methods.
func (d *Draft) findUnknown() {
	if d.parameters.object == nil {
		return
	}
	left := maxUnknown
	tell := func(text string, path ...string) {
		if left--; left >= 0 {
			d.parameters.depends(ofUnknown).fail(fault.Printable(strings.Join(path, "."), 2*maxUnknownName), text)
		}
	}
	report := func(path ...string) { tell("It is not known.", path...) }
	for _, sent := range d.parameters.object.members {
		m := methodOf(sent.name)
		switch {
		case strings.Contains(sent.name, "["): // read at its place
		case m == nil && !mayStandBare(sent.name):
			report("parameters", sent.name)
		case m != nil && !d.canUse(m):
			tell("No payment of this request can use it.", "parameters", sent.name)
		case m != nil && sent.value.kind == kindObject:
			for _, own := range sent.value.inside.members {
				if isToken := method.IsWallet(m.ID) && own.name == walletToken; isToken {
					continue
				}
				if !m.HasRow(own.name) && !strings.Contains(own.name, "[") {
					report("parameters", sent.name, own.name)
				}
			}
		}
	}
}

// ofUnknown leaves a parameter out that is not known.
func ofUnknown(Rules) outcome { return leftOut }

// methodOf returns the method with an id, also one that is not offered, nil if there is none.
func methodOf(id string) *method.Method {
	for i := range method.Methods {
		if method.Methods[i].ID == id {
			return &method.Methods[i]
		}
	}
	return nil
}

// mayStandBare reports whether a row of that name may stand directly in parameters.
func mayStandBare(name string) bool {
	named := func(row method.Param) bool { return row.Name == name }
	for i := range method.Methods {
		if m := &method.Methods[i]; m.Bare(name) || slices.ContainsFunc(m.FlatRows(), named) {
			return true
		}
	}
	return false
}
