// Package grant says who may see and do what on the operator's side: roles, the table of their rights, and the grants
// that administrators give to people.
package grant

import (
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
)

// Role is what a person does for the service.
type Role string

// The roles.
const (
	Viewer    Role = "viewer"    // looks, without the payers' names and addresses
	Support   Role = "support"   // of a merchant: explains, sends callbacks again, refunds
	Finance   Role = "finance"   // refunds, settles, sums up
	Developer Role = "developer" // does with test payments what support does, and sees live ones masked
	Admin     Role = "admin"     // everything but moving money
)

// Roles are all roles.
var Roles = []Role{Viewer, Support, Finance, Developer, Admin}

// Right is something that a role may do or not. Each route of the admin API asks for one.
type Right string

// The rights.
const (
	Find      Right = "find"      // find, lists, timelines
	Callbacks Right = "callbacks" // send callbacks again, open an address
	LookUp    Right = "look-up"
	Money     Right = "money" // refund, capture, void
	Settle    Right = "settle"
	Notes     Right = "notes"    // write them
	Sums      Right = "sums"     // totals and exports
	Circuits  Right = "circuits" // close a circuit breaker
	Settings  Right = "settings" // read and check what is set for merchants
	Publish   Right = "publish"  // change it
	Operators Right = "operators"
	OwnAudit  Right = "own-audit" // what the person has done
	AllAudit  Right = "audit"     // what anybody has done

	EndSession Right = "end-session" // a payer's checkout session
	Blocks     Right = "blocks"      // change block lists
)

// Level is how far a right goes.
type Level int

// The levels, each above those before it.
const (
	None   Level = iota
	Masked       // without e-mail addresses and names
	Full
)

// rights has the levels of each right by role, for live and for test payments.
var rights = map[Right]map[Role][2]Level{
	Find: {
		Viewer: {Masked, Masked}, Support: {Full, Full}, Finance: {Full, Full}, Developer: {Masked, Full},
		Admin: {Full, Full},
	},
	Callbacks: {Support: {Full, Full}, Developer: {None, Full}, Admin: {Full, Full}},
	LookUp:    {Support: {Full, Full}, Developer: {None, Full}, Admin: {Full, Full}},
	Money:     {Support: {Full, Full}, Finance: {Full, Full}, Developer: {None, Full}},
	Settle:    {Finance: {Full, Full}, Admin: {Full, Full}},
	Notes: {
		Support: {Full, Full}, Finance: {Full, Full}, Developer: {None, Full}, Admin: {Full, Full},
	},
	EndSession: {Support: {Full, Full}, Developer: {None, Full}, Admin: {Full, Full}},
	Blocks:     {Support: {Full, Full}, Developer: {None, Full}, Admin: {Full, Full}},
	Sums:       {Finance: {Full, Full}, Admin: {Full, Full}},
	Circuits:   {Admin: {Full, Full}},
	Settings:   {Developer: {Full, Full}, Admin: {Full, Full}},
	Publish:    {Developer: {None, Full}, Admin: {Full, Full}},
	Operators:  {Admin: {Full, Full}},
	OwnAudit: {
		Viewer: {Full, Full}, Support: {Full, Full}, Finance: {Full, Full}, Developer: {Full, Full}, Admin: {Full, Full},
	},
	AllAudit: {Finance: {Full, Full}, Admin: {Full, Full}},
}

// Mode is which payments a grant is for.
type Mode string

// The modes.
const (
	Live Mode = "live"
	Test Mode = "test"
	Both Mode = "both"
)

// Modes are all modes.
var Modes = []Mode{Live, Test, Both}

// AllMerchants stands for every merchant in a grant.
const AllMerchants = "*"

// Grant is a role that a person has.
type Grant struct {
	// Who is the person as AWS knows the caller: an ARN, or one that ends with /* for everybody who has assumed a role. A
	// person who signs in is oidc/<issuer>/<the provider's name of the person>.
	Who       string    `json:"who"`
	Role      Role      `json:"role"`
	Merchants []string  `json:"merchants"` // their ids, or AllMerchants alone
	Mode      Mode      `json:"mode"`
	By        string    `json:"by"` // who gave it
	At        time.Time `json:"at"`
}

// Person is who calls, with the grants that are theirs.
type Person struct {
	Who    string  `json:"who"`
	Name   string  `json:"name,omitempty"` // by which people know them, the verified e-mail address; of who has signed in
	Via    string  `json:"via"`            // command or page
	Grants []Grant `json:"grants"`
	Limits []Limit `json:"limits,omitempty"` // of all roles
}

// StableName is what stays of a caller's name from one day to the next: of the session of a role the role, as each
// sign-in may name its session anew, else all of it. IAM Identity Center names the sessions of its own roles after the
// person.
func StableName(who string) string {
	role, _, found := strings.Cut(who, "/")
	if rest := strings.TrimPrefix(who, role+"/"); found && strings.HasSuffix(role, ":assumed-role") {
		name, _, _ := strings.Cut(rest, "/")
		if strings.HasPrefix(name, "AWSReservedSSO_") {
			return who
		}
		return role + "/" + name
	}
	return who
}

// Fits reports whether a grant is for a caller.
func (g Grant) Fits(who string) bool {
	prefix, all := strings.CutSuffix(g.Who, "*")
	everybody := all && strings.HasSuffix(prefix, "/")
	return g.Who == who || everybody && len(who) > len(prefix) && strings.HasPrefix(who, prefix)
}

// covers reports whether a grant is for payments of an owner.
func (g Grant) covers(o fault.Owner) bool {
	mode := g.Mode == Both || o.Test == (g.Mode == Test)
	return mode && (slices.Contains(g.Merchants, AllMerchants) || slices.Contains(g.Merchants, o.Merchant))
}

// Level is how far a right goes for the payments of an owner.
func (p Person) Level(right Right, o fault.Owner) Level {
	best := None
	for _, g := range p.Grants {
		if !g.covers(o) {
			continue
		}
		best = max(best, rights[right][g.Role][modeOf(o)])
	}
	return best
}

// May reports whether a right goes for all merchants and both modes, as it has to for what belongs to no merchant.
func (p Person) May(right Right) bool {
	everything := false
	for _, g := range p.Grants {
		levels := rights[right][g.Role]
		everything = everything || slices.Contains(g.Merchants, AllMerchants) && g.Mode == Both &&
			levels[0] == Full && levels[1] == Full
	}
	return everything
}

// Has reports whether the person has a right for any payments at all.
func (p Person) Has(right Right) bool {
	for _, g := range p.Grants {
		levels := rights[right][g.Role]
		if g.Mode != Test && levels[0] > None || g.Mode != Live && levels[1] > None {
			return true
		}
	}
	return false
}

// Role is the names of the person's roles, for the audit log.
func (p Person) Role() string {
	var names []string
	for _, g := range p.Grants {
		if !slices.Contains(names, string(g.Role)) {
			names = append(names, string(g.Role))
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
