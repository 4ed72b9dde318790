package grant

import (
	"slices"
	"strings"

	"checkout/internal/fault"
)

const (
	maxWho       = 200 // characters of a name
	maxMerchants = 50  // of one grant
)

// Check returns every fault of a grant that is to be given.
func (g Grant) Check() (faults []fault.Fault) {
	wrong := func(path, text string) {
		faults = append(faults, fault.Of(path, text))
	}
	name := strings.TrimSuffix(g.Who, "/*")
	if name == "" || fault.Printable(g.Who, maxWho) != g.Who || strings.ContainsAny(name, "* ") {
		wrong("who", "It should be an ARN or a name of at most 200 printable characters without spaces. A /* at the end "+
			"stands for everybody who has assumed the role; no other * is possible.")
	}
	if parts := strings.Split(g.Who, ":"); parts[0] == "arn" &&
		(len(parts) < 6 || strings.Trim(parts[len(parts)-1], "/*") == "" ||
			strings.HasSuffix(g.Who, "/*") && strings.Count(name, "/") < 1) {
		wrong("who", "This ARN names nobody: it should be that of a user, or of a role's session, or one that ends with "+
			"the role's name and /*.")
	}
	if strings.HasPrefix(g.Who, "oidc/") && strings.HasSuffix(g.Who, "/*") {
		wrong("who", "Who signs in has to be named alone: the provider may let anybody in.")
	}
	if !slices.Contains(Roles, g.Role) {
		wrong("role", "It should be one of "+namesOf(Roles)+".")
	}
	if !slices.Contains(Modes, g.Mode) {
		wrong("mode", "It should be one of live, test, both.")
	}
	switch all := slices.Contains(g.Merchants, AllMerchants); {
	case len(g.Merchants) == 0 || len(g.Merchants) > maxMerchants:
		wrong("merchants", "1 to 50 ids of merchants should be named, or * for all.")
	case all && len(g.Merchants) > 1:
		wrong("merchants", "* stands for all merchants, and should be alone.")
	case !all && slices.ContainsFunc(g.Merchants, func(id string) bool {
		return id == "" || fault.Printable(id, maxWho) != id || strings.ContainsAny(id, "* /")
	}):
		wrong("merchants", "These are no ids of merchants.")
	}
	return faults
}

func namesOf(roles []Role) string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	return strings.Join(names, ", ")
}

// Text says what a grant is for.
func (g Grant) Text() string {
	of := strings.Join(g.Merchants, ", ")
	if slices.Contains(g.Merchants, AllMerchants) {
		of = "all merchants"
	}
	return string(g.Role) + " of " + of + ", mode " + string(g.Mode)
}

// same reports whether two grants give the same person the same role for the same payments.
func (g Grant) same(other Grant) bool {
	return g.Who == other.Who && g.Role == other.Role && g.Mode == other.Mode &&
		slices.Equal(sorted(g.Merchants), sorted(other.Merchants))
}

func sorted(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// chooses reports whether a grant is one of those that g names: all of the same role to the same person, or of these
// the one for the merchants and the mode that g has as well.
func (g Grant) chooses(of Grant) bool {
	return g.Who == of.Who && g.Role == of.Role && (g.Mode == "" || g.Mode == of.Mode) &&
		(len(g.Merchants) == 0 || slices.Equal(sorted(g.Merchants), sorted(of.Merchants)))
}

// With returns all grants with another one. It takes the place of an equal one; others of the same person stay.
func With(all []Grant, g Grant) []Grant {
	return append(slices.DeleteFunc(slices.Clone(all), g.same), g)
}

// Without returns all grants without those that g names, and these: all of its role to its person, or of these the one
// for the merchants and the mode that it has as well.
func Without(all []Grant, g Grant) (rest, gone []Grant) {
	for _, one := range all {
		if g.chooses(one) {
			gone = append(gone, one)
		} else {
			rest = append(rest, one)
		}
	}
	return rest, gone
}

// PersonOf returns a caller with the grants that are theirs.
func PersonOf(all []Grant, limits []Limit, who, via string) Person {
	p := Person{Who: who, Via: via, Limits: limits}
	for _, g := range all {
		if who != "" && g.Fits(who) {
			p.Grants = append(p.Grants, g)
		}
	}
	return p
}

// MayGive reports whether a person may give a grant, or take it: an administrator can give every role, also the right
// to move money, which administrators do not have themselves, but only for merchants and modes that are theirs. The
// audit log has who gave whom what.
func (p Person) MayGive(g Grant) bool {
	modes := []bool{false, true}
	switch g.Mode {
	case Live:
		modes = modes[:1]
	case Test:
		modes = modes[1:]
	}
	for _, merchant := range g.Merchants {
		for _, test := range modes {
			if p.Level(Operators, fault.Owner{Merchant: merchant, Test: test}) < Full {
				return false
			}
		}
	}
	return len(g.Merchants) > 0
}

// HasAdministrator reports whether anybody is an administrator for all merchants in both modes.
func HasAdministrator(all []Grant) bool {
	return slices.ContainsFunc(all, func(g Grant) bool {
		return g.Role == Admin && g.Mode == Both && slices.Contains(g.Merchants, AllMerchants)
	})
}
