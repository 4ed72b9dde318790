package change

import (
	"context"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// Switch closes or opens something of a mapping: the MID of a name, a method, or a billing country.
type Switch struct {
	Merchant string
	Mapping  string
	Kind     string // of SwitchKinds
	Name     string
	Closed   bool
}

// SwitchKinds are what a switch can close.
var SwitchKinds = []string{"mid", "method", "country"}

// Switch closes or opens what it names, whatever else is changed at the same time. What is so already stays.
// Errors: CodeNotFound, CodeInvalid.
func (o *Merchants) Switch(ctx context.Context, s Switch) (Published, error) {
	p, err := o.store(ctx, change{id: s.Merchant, apply: func(m *settings.Merchant, _ secrets) error {
		i := slices.IndexFunc(m.Mappings, func(mapping settings.Mapping) bool { return mapping.Name == s.Mapping })
		switch {
		case m.ID == "":
			return errMerchant()
		case i < 0:
			return fault.At("mapping", method.TextNotChoice)
		}
		return s.apply(&m.Mappings[i])
	}})
	if err != nil {
		return Published{}, err
	}
	return p.result(), nil
}

func (s Switch) apply(m *settings.Mapping) error {
	switch s.Kind {
	case "mid":
		i := slices.IndexFunc(m.MIDs, func(mid settings.MID) bool { return mid.Name == s.Name })
		if i < 0 {
			return fault.At("name", method.TextNotChoice)
		}
		m.MIDs[i].Disabled = s.Closed
	case "method":
		m.ClosedMethods = s.in(m.ClosedMethods)
	case "country":
		m.ClosedCountries = s.in(m.ClosedCountries)
	default:
		return fault.At("kind", method.TextNotChoice)
	}
	return nil
}

// in returns a list of what is closed after the switch.
func (s Switch) in(closed []string) []string {
	rest := slices.DeleteFunc(slices.Clone(closed), func(name string) bool { return name == s.Name })
	if s.Closed {
		rest = append(rest, s.Name)
	}
	return rest
}
