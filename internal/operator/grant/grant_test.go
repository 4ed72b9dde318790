package grant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/fault"
)

func TestFits(t *testing.T) {
	for _, test := range []struct {
		who, caller string
		want        bool
	}{
		{"arn:aws:iam::1:user/ann", "arn:aws:iam::1:user/ann", true},
		{"arn:aws:iam::1:user/ann", "arn:aws:iam::1:user/anna", false},
		{"arn:aws:sts::1:assumed-role/support/*", "arn:aws:sts::1:assumed-role/support/ann", true},
		{"arn:aws:sts::1:assumed-role/support/*", "arn:aws:sts::1:assumed-role/support/", false},
		{"arn:aws:sts::1:assumed-role/support/*", "arn:aws:sts::1:assumed-role/support-lead/ann", false},
		{"arn:aws:sts::1:assumed-role/support/*", "arn:aws:sts::2:assumed-role/support/ann", false},
		{"local/admin", "local/admin", true},
		{"a*", "ab", false},
		{"*", "ann", false},
		{"", "", false},
	} {
		if got := len(PersonOf([]Grant{{Who: test.who}}, nil, test.caller, "page").Grants) == 1; got != test.want {
			t.Errorf("%q fits %q: %v", test.who, test.caller, got)
		}
	}
}

// levels are written as: nothing, masked, full.
func levels(p Person, right Right) string {
	text := ""
	for _, o := range []fault.Owner{{Merchant: "pens"}, {Merchant: "pens", Test: true}, {Merchant: "cups"}} {
		text += [...]string{"-", "m", "f"}[p.Level(right, o)]
	}
	return text
}

// What each role of a merchant may do for its live and test payments, and for another merchant's.
func TestRightsOfRoles(t *testing.T) {
	columns := []Right{
		Find, Callbacks, LookUp, Money, Settle, Sums, Circuits, Settings, Publish, Operators, OwnAudit, AllAudit, Notes,
		EndSession, Blocks,
	}
	if len(rights) != len(columns) || len(Rights) != len(columns) {
		t.Fatalf("%d rights", len(rights))
	}
	for role, want := range map[Role]string{
		Viewer:    "mm- --- --- --- --- --- --- --- --- --- ff- --- --- --- ---",
		Support:   "ff- ff- ff- ff- --- --- --- --- --- --- ff- --- ff- ff- ff-",
		Finance:   "ff- --- --- ff- ff- ff- --- --- --- --- ff- ff- ff- --- ---",
		Developer: "mf- -f- -f- -f- --- --- --- ff- -f- --- ff- --- -f- -f- -f-",
		Admin:     "ff- ff- ff- --- ff- ff- ff- ff- ff- ff- ff- ff- ff- ff- ff-",
	} {
		both := Person{Grants: []Grant{{Who: "ann", Role: role, Merchants: []string{"pens"}, Mode: Both}}}
		live := Person{Grants: []Grant{{Who: "ann", Role: role, Merchants: []string{"pens"}, Mode: Live}}}
		test := Person{Grants: []Grant{{Who: "ann", Role: role, Merchants: []string{"pens"}, Mode: Test}}}
		var got []string
		for _, right := range columns {
			all := levels(both, right)
			got = append(got, all)
			if levels(live, right) != all[:1]+"--" || levels(test, right) != "-"+all[1:2]+"-" {
				t.Errorf("%s of one mode, %s: %s and %s", role, right, levels(live, right), levels(test, right))
			}
			if both.May(right) || both.Has(right) != (all != "---") || test.Has(right) != (all[1] != '-') {
				t.Errorf("%s: May or Has of %s is wrong", role, right)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", role, strings.Join(got, " "), want)
		}
	}
	everything := Person{Grants: []Grant{{Role: Admin, Merchants: []string{AllMerchants}, Mode: Both}}}
	if !everything.May(Operators) || everything.May(Money) || levels(everything, Find) != "fff" {
		t.Error("an administrator for all merchants")
	}
	if nobody := (Person{Who: "ann"}); nobody.Has(Find) || nobody.May(Find) || levels(nobody, Find) != "---" {
		t.Error("a person without a grant has a right")
	}
}

func TestCheck(t *testing.T) {
	good := Grant{Who: "arn:aws:iam::1:user/ann", Role: Support, Merchants: []string{"pens", "cups"}, Mode: Live}
	for _, test := range []struct {
		name   string
		change func(*Grant)
		path   string // of the fault; "": none
	}{
		{"a user", func(*Grant) {}, ""},
		{"a role", func(g *Grant) { g.Who = "arn:aws:sts::1:assumed-role/support/*" }, ""},
		{"a name", func(g *Grant) { g.Who = "local/admin" }, ""},
		{"all merchants", func(g *Grant) { g.Merchants = []string{AllMerchants} }, ""},
		{"nobody", func(g *Grant) { g.Who = "" }, "who"},
		{"everybody", func(g *Grant) { g.Who = "*" }, "who"},
		{"everybody, by a folder", func(g *Grant) { g.Who = "/*" }, "who"},
		{"part of a name", func(g *Grant) { g.Who = "arn:aws:iam::1:user/a*" }, "who"},
		{"two wildcards", func(g *Grant) { g.Who = "arn:aws:sts::*:assumed-role/support/*" }, "who"},
		{"every user", func(g *Grant) { g.Who = "arn:aws:iam::1:user/*" }, "who"},
		{"every role", func(g *Grant) { g.Who = "arn:aws:sts::1:assumed-role/*" }, "who"},
		{"who has signed in", func(g *Grant) { g.Who = "oidc/id.example/ann" }, ""},
		{"all who sign in", func(g *Grant) { g.Who = "oidc/id.example/*" }, "who"},
		{"no ARN", func(g *Grant) { g.Who = "arn:aws:iam" }, "who"},
		{"a line break", func(g *Grant) { g.Who = "ann\nbob" }, "who"},
		{"a long name", func(g *Grant) { g.Who = strings.Repeat("a", 201) }, "who"},
		{"another role", func(g *Grant) { g.Role = "root" }, "role"},
		{"another mode", func(g *Grant) { g.Mode = "" }, "mode"},
		{"no merchant", func(g *Grant) { g.Merchants = nil }, "merchants"},
		{"a merchant and all", func(g *Grant) { g.Merchants = []string{"pens", "*"} }, "merchants"},
		{"an empty merchant", func(g *Grant) { g.Merchants = []string{""} }, "merchants"},
		{"a wildcard for merchants", func(g *Grant) { g.Merchants = []string{"pe*"} }, "merchants"},
		{"too many", func(g *Grant) { g.Merchants = slices.Repeat([]string{"pens"}, 51) }, "merchants"},
	} {
		g := good
		test.change(&g)
		faults := g.Check()
		if len(faults) != min(1, len(test.path)) || test.path != "" && faults[0].Path != test.path {
			t.Errorf("%s: %v", test.name, faults)
		}
	}
}

// Nobody gives what is not theirs: an administrator gives every role, but only for merchants and modes of their own.
func TestMayGive(t *testing.T) {
	grants := func(role Role, mode Mode, merchants ...string) Grant {
		return Grant{Who: "ann", Role: role, Merchants: merchants, Mode: mode}
	}
	for _, test := range []struct {
		own  []Grant
		give Grant
		want bool
	}{
		{[]Grant{grants(Admin, Both, "*")}, grants(Admin, Both, "*"), true},
		{[]Grant{grants(Admin, Both, "*")}, grants(Support, Live, "pens"), true},
		{[]Grant{grants(Admin, Both, "pens")}, grants(Support, Live, "pens"), true},
		{[]Grant{grants(Admin, Both, "pens")}, grants(Finance, Test, "pens"), true},
		{[]Grant{grants(Admin, Both, "pens")}, grants(Support, Live, "cups"), false},
		{[]Grant{grants(Admin, Both, "pens")}, grants(Support, Live, "pens", "cups"), false},
		{[]Grant{grants(Admin, Both, "pens")}, grants(Viewer, Live, "*"), false},
		{[]Grant{grants(Admin, Test, "*")}, grants(Viewer, Both, "pens"), false},
		{[]Grant{grants(Admin, Test, "*")}, grants(Viewer, Live, "pens"), false},
		{[]Grant{grants(Admin, Test, "*")}, grants(Admin, Test, "*"), true},
		{[]Grant{grants(Admin, Test, "*"), grants(Admin, Live, "pens")}, grants(Viewer, Both, "pens"), true},
		{[]Grant{grants(Finance, Both, "*"), grants(Support, Both, "*")}, grants(Viewer, Test, "pens"), false},
		{nil, grants(Viewer, Test, "pens"), false},
		{[]Grant{grants(Admin, Both, "*")}, grants(Viewer, Test), false},
	} {
		if got := (Person{Grants: test.own}).MayGive(test.give); got != test.want {
			t.Errorf("%s gives %s: %v", fmt.Sprint(test.own), test.give.Text(), got)
		}
	}
}

func TestStableName(t *testing.T) {
	for who, want := range map[string]string{
		"arn:aws:sts::1:assumed-role/support/ann": "arn:aws:sts::1:assumed-role/support",
		"arn:aws:sts::1:assumed-role/support":     "arn:aws:sts::1:assumed-role/support",
		"arn:aws:iam::1:user/team/ann":            "arn:aws:iam::1:user/team/ann",
		"ann":                                     "ann",
	} {
		if got := StableName(who); got != want {
			t.Errorf("%s: %s", who, got)
		}
	}
}
