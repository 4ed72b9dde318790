package operator

import (
	"fmt"
	"strings"
	"testing"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// Administrators give and take roles for what is theirs, by the rights that are stored then. One for all merchants is
// always left. Each row goes on where the one before it ended.
func TestGrants(t *testing.T) {
	l, n := newStored(t), 0
	for _, id := range []string{"m-1", "m-2"} {
		l.Save(store.Encode(store.SettingsKey(id), 0, struct{}{}))
	}
	g := func(who string, role grant.Role, mode grant.Mode, merchants ...string) grant.Grant {
		return grant.Grant{Who: who, Role: role, Mode: mode, Merchants: merchants}
	}
	first := g("ann", grant.Admin, grant.Both, "*")
	const denied, last, absent = fault.CodeDenied, fault.CodeNotAllowed, fault.CodeNotFound
	for _, x := range []struct {
		by     string
		takes  bool
		of     grant.Grant
		code   fault.Code // 0: it is done
		logged string
	}{
		{"eve", false, first, denied, ""},
		{"ann", false, g("bob", grant.Support, grant.Both, "m-1"), last, ""},
		{"ann", false, g("", grant.Admin, grant.Both, "*"), fault.CodeInvalid, ""},
		{"ann", true, first, absent, ""},
		{"ann", false, first, 0, "is given the role admin of all merchants, mode both"},
		{"bob", false, g("bob", grant.Admin, grant.Both, "*"), denied, ""},
		{"ann", false, g("bob", grant.Admin, grant.Test, "m-1"), 0, "is given the role admin of m-1, mode test"},
		{"bob", false, g("cat", grant.Support, grant.Test, "m-1"), 0, "is given the role support of m-1, mode test"},
		{"bob", false, g("cat", grant.Support, grant.Both, "m-1"), denied, ""},
		{"bob", false, g("cat", grant.Support, grant.Test, "m-2"), denied, ""},
		{"ann", false, g("cat", grant.Support, grant.Live, "m-2"), 0, "is given the role support of m-2, mode live"},
		{"ann", false, g("cat", grant.Support, grant.Live, "m-3"), fault.CodeInvalid, ""},
		{"bob", false, g("cat", grant.Support, grant.Test, "m-1"), 0, "is given the role support of m-1, mode test"},
		{"bob", true, g("cat", grant.Support, ""), denied, ""}, // one of both is not bob's to take
		{"bob", true, g("cat", grant.Support, grant.Test, "m-1"), 0, "loses the role support of m-1, mode test"},
		{"bob", true, first, denied, ""},
		{"ann", true, first, last, ""},
		{"ann", false, g("ann", grant.Admin, grant.Live, "*"), 0, "is given the role admin of all merchants, mode live"},
		{"ann", true, g("ann", grant.Admin, ""), last, ""},
		{"ann", true, g("ann", grant.Admin, grant.Live, "*"), 0, "loses the role admin of all merchants, mode live"},
		{"ann", true, g("cat", grant.Viewer, grant.Live, "m-2"), absent, ""},
		{"ann", true, g("cat", grant.Support, grant.Test, "other"), absent, ""},
		{"ann", true, g("cat", grant.Support, ""), 0, "loses the role support of m-2, mode live"},
	} {
		by, err := l.PersonOf(t.Context(), x.by, "page")
		if x.by == "ann" && len(by.Grants) == 0 { // by the names that the deployment has
			by = person(grant.Admin, "*")
		}
		if x.by == "bob" { // who was more, and is not any more
			by.Grants = append(by.Grants, first)
		}
		do, act := l.Grant, audit.Act{ID: fmt.Sprint("act-", n), Who: x.by}
		if x.takes {
			do = l.Revoke
		}
		if err == nil {
			err = do(t.Context(), by, act, x.of)
		}
		if x.code == 0 && err != nil || x.code != 0 && fault.CodeOf(err) != x.code {
			t.Errorf("%+v: %v", x, err)
		}
		var logged []string
		for _, r := range l.Docs.Dump() {
			var e audit.Entry
			if strings.HasPrefix(r.Key.Partition, "audit/2030") && r.Decode(&e) == nil && e.ID == act.ID {
				logged = append(logged, e.What+" "+strings.Join(e.Changes, ","))
			}
		}
		want := map[bool]string{true: "operator/" + x.of.Who + " " + x.logged}[x.code == 0]
		if got := strings.Join(logged, ";"); got != want {
			t.Errorf("%+v: logged %q", x, got)
		}
		n++
	}
	all, _, err := l.People.Grants(t.Context())
	got := ""
	for _, g := range all {
		got += g.Who + " " + g.Text() + " by " + g.By + " " + g.At.Format("15:04") + "; "
	}
	want := "ann admin of all merchants, mode both by ann 13:00; bob admin of m-1, mode test by ann 13:00; "
	if err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}

// Of two administrators who take each other's role at once, one can't. A grant that is repeated with its
// Idempotency-Key is given once, and what fails in the store is told.
func TestGrantsAtOnce(t *testing.T) {
	anew := func() (*stored, *storetest.Scripted) {
		l := newStored(t)
		scripted := &storetest.Scripted{Store: l.Docs}
		l.Core.Store = scripted
		return l, scripted
	}
	gives := func(l *stored, by, who, key string) error {
		g := grant.Grant{Who: who, Role: grant.Admin, Mode: grant.Both, Merchants: []string{"*"}}
		caller := person(grant.Admin, "*")
		caller.Who = by
		return l.Grant(t.Context(), caller, audit.Act{ID: "act", Who: by, Key: key}, g)
	}
	l, scripted := anew()
	scripted.Before = func(what string) error {
		if what == "save operators" { // somebody else is an administrator first
			scripted.Before = nil
			return gives(l, "bob", "bob", "")
		}
		return nil
	}
	if err := gives(l, "ann", "ann", "key"); fault.CodeOf(err) != fault.CodeDenied {
		t.Errorf("ann, after bob: %v", err)
	}
	for range 2 {
		if err := gives(l, "bob", "ann", "key"); err != nil {
			t.Errorf("ann, by bob: %v", err)
		}
	}
	if all, _, err := l.People.Grants(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := gives(l, "bob", "cat", "key"); fault.CodeOf(err) != fault.CodeInvalid {
		t.Errorf("another grant with the key: %v", err)
	}
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		l, scripted := anew()
		return scripted, func() error { return gives(l, "ann", "ann", "key") }
	})
}
