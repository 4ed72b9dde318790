package story

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
)

// everything is the grant of an administrator for all merchants.
func everything(who string) grant.Grant {
	return grant.Grant{Who: who, Role: grant.Admin, Merchants: []string{grant.AllMerchants}, Mode: grant.Both}
}

// gives gives a role as a person, and returns the code of the error, 0 without one.
func (w *World) gives(by string, g grant.Grant, key string) fault.Code {
	return w.changesGrants(by, key, func(p grant.Person, act audit.Act) error {
		return w.app.People.Grant(context.Background(), p, act, g)
	})
}

func (w *World) takes(by string, g grant.Grant, key string) fault.Code {
	return w.changesGrants(by, key, func(p grant.Person, act audit.Act) error {
		return w.app.People.Revoke(context.Background(), p, act, g)
	})
}

func (w *World) changesGrants(by, key string, do func(grant.Person, audit.Act) error) fault.Code {
	w.t.Helper()
	p, err := w.app.People.PersonOf(context.Background(), by, "command")
	if err != nil {
		w.t.Fatalf("person: %v", err)
	}
	act := actOf(by, fmt.Sprintf("%x", w.app.Core.Random(16)))
	act.Key = key
	if err := do(p, act); err != nil {
		if code := fault.CodeOf(err); code != fault.CodeInternal {
			return code
		}
		w.t.Errorf("%s: %v", by, err)
	}
	return 0
}

// administers makes people administrators for all merchants.
func (w *World) administers(people ...string) {
	w.t.Helper()
	first := grant.Person{Who: people[0], Grants: []grant.Grant{everything(people[0])}}
	err := w.app.People.Grant(context.Background(), first, actOf(people[0], "first"), everything(people[0]))
	if err != nil {
		w.t.Fatalf("first: %v", err)
	}
	for _, who := range people[1:] {
		if code := w.gives(people[0], everything(who), ""); code != 0 {
			w.t.Fatalf("%s: %v", who, code)
		}
	}
}

// Roles are given and taken, by those who may, and count at once. The audit log says who did so.
func TestGrants(t *testing.T) {
	w := open(t)
	const boss, bob, eve = "local/boss", "local/bob", "local/eve"
	w.administers(boss)
	pens := grant.Grant{Who: bob, Role: grant.Admin, Merchants: []string{"pens"}, Mode: grant.Both}
	support := grant.Grant{Who: eve, Role: grant.Support, Merchants: []string{"pens"}, Mode: grant.Live}
	cups := grant.Grant{Who: eve, Role: grant.Support, Merchants: []string{"pens", "cups"}, Mode: grant.Live}
	for _, step := range []struct {
		name string
		code fault.Code
		want fault.Code
	}{
		{"nobody gives a role", w.gives(eve, support, ""), fault.CodeDenied},
		{"a second first administrator", fault.CodeOf(w.app.People.Grant(t.Context(), grant.Person{
			Who: eve, Grants: []grant.Grant{everything(eve)}}, actOf(eve, "x"), everything(eve))), fault.CodeDenied},
		{"no grant", w.gives(boss, grant.Grant{Who: bob}, ""), fault.CodeInvalid},
		{"an administrator of one merchant", w.gives(boss, pens, "one"), 0},
		{"the same again", w.gives(boss, pens, "one"), 0},
		{"another grant with the key", w.gives(boss, support, "one"), fault.CodeInvalid},
		{"of another merchant", w.gives(bob, cups, ""), fault.CodeDenied},
		{"of all merchants", w.gives(bob, everything(bob), ""), fault.CodeDenied},
		{"of the own one", w.gives(bob, support, ""), 0},
		{"wider, in its place", w.gives(boss, cups, ""), 0},
		{"taken by one who has a part of it", w.takes(bob, cups, ""), fault.CodeDenied},
		{"narrowed by one who has a part of it", w.gives(bob, support, ""), fault.CodeDenied},
		{"taken", w.takes(boss, cups, ""), 0},
		{"taken twice", w.takes(boss, cups, ""), fault.CodeNotFound},
		{"the last administrator", w.takes(boss, everything(boss), ""), fault.CodeNotAllowed},
		{"the last administrator, of less", w.gives(boss, grant.Grant{
			Who: boss, Role: grant.Admin, Merchants: []string{"pens"}, Mode: grant.Both}, ""), fault.CodeNotAllowed},
	} {
		if step.code != step.want {
			t.Errorf("%s: code %d, want %d", step.name, step.code, step.want)
		}
	}
	all, err := w.app.People.Grants(t.Context())
	if err != nil || len(all) != 2 || all[0].Who != boss || all[1].Who != bob || all[1].By != boss ||
		!all[1].At.Equal(w.clock.Now()) {
		t.Errorf("%+v, %v", all, err)
	}
	want := []string{
		"boss operator/local/boss is given the role admin of all merchants, mode both",
		"boss operator/local/bob is given the role admin of pens, mode both",
		"bob operator/local/eve is given the role support of pens, mode live",
		"boss operator/local/eve is given the role support of pens, cups, mode live",
		"boss operator/local/eve loses the role support",
	}
	got := map[string]bool{}
	for _, line := range w.acted() {
		got[line] = true
	}
	for _, line := range want {
		if !got[line] || len(got) != len(want) {
			t.Errorf("not %q in %d lines of the audit log", line, len(got))
		}
	}
	entries := func(who string, grants ...grant.Grant) []audit.Entry {
		by := grant.Person{Who: who, Grants: grants}
		page, err := w.app.Reader.Audit(t.Context(), by, query.Filter{From: w.clock.Now()})
		if err != nil {
			t.Error(err)
		}
		return page.Entries
	}
	if own := entries(bob, all[1:]...); len(own) != 1 || own[0].Who != bob || own[0].RequestID == "" || own[0].Role == "" {
		t.Errorf("Bob's own entries: %+v", own)
	}
	if got := entries(boss, all[0]); len(got) != 5 {
		t.Errorf("all entries: %d", len(got))
	}
}

// Administrators who take the role from each other at once leave one, and all changes at once are stored.
func TestGrantsAtOnce(t *testing.T) {
	for range 20 {
		w := open(t)
		people := []string{"local/a", "local/b", "local/c"}
		w.administers(people...)
		w.atOnce(6, func(i int) { w.takes(people[i%3], everything(people[(i+1+i/3)%3]), "") })
		all, err := w.app.People.Grants(t.Context())
		if err != nil || !grant.HasAdministrator(all) {
			t.Fatalf("%+v, %v", all, err)
		}
	}
	w := open(t)
	w.administers("local/a")
	var given atomic.Int32
	w.atOnce(25, func(i int) {
		g := grant.Grant{Who: fmt.Sprint("local/", i), Role: grant.Viewer, Merchants: []string{"pens"}, Mode: grant.Test}
		if w.gives("local/a", g, "") == 0 {
			given.Add(1)
		}
	})
	all, err := w.app.People.Grants(t.Context())
	if err != nil || len(all) != 26 || given.Load() != 25 || len(w.acted()) != 26 {
		t.Errorf("%d grants, %d given, %v", len(all), given.Load(), err)
	}
}
