package story

import (
	"context"
	"fmt"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
)

// everything is the grant of an administrator for all merchants.
func everything(who string) grant.Grant {
	return grant.Grant{Who: who, Role: grant.Admin, Merchants: []string{grant.AllMerchants}, Mode: grant.Both}
}

// takes takes a role from somebody, if that is allowed.
func (w *World) takes(by string, g grant.Grant) {
	w.t.Helper()
	p, err := w.app.People.PersonOf(context.Background(), by, "command")
	if err == nil {
		err = w.app.People.Revoke(context.Background(), p, actOf(by, fmt.Sprintf("%x", w.app.Core.Random(16))), g)
	}
	if err != nil && fault.CodeOf(err) == fault.CodeInternal {
		w.t.Errorf("%s: %v", by, err)
	}
}

// administers makes people administrators for all merchants.
func (w *World) administers(people ...string) {
	w.t.Helper()
	first := grant.Person{Who: people[0], Grants: []grant.Grant{everything(people[0])}}
	for _, who := range people {
		if err := w.app.People.Grant(context.Background(), first, actOf(people[0], who), everything(who)); err != nil {
			w.t.Fatalf("%s: %v", who, err)
		}
	}
}

// Administrators who take the role from each other at once leave one.
func TestGrantsAtOnce(t *testing.T) {
	for range 5 {
		w := open(t)
		people := []string{"local/a", "local/b", "local/c"}
		w.administers(people...)
		w.atOnce(6, func(i int) { w.takes(people[i%3], everything(people[(i+1+i/3)%3])) })
		all, err := w.app.People.Grants(t.Context())
		if err != nil || !grant.HasAdministrator(all) {
			t.Fatalf("%+v, %v", all, err)
		}
	}
}
