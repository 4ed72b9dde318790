package app

import (
	"context"
	"errors"
	"time"

	"checkout/internal/operator/grant"
)

// Roles are the names of what people can be for the people.
func Roles() []string {
	var names []string
	for _, role := range grant.Roles {
		names = append(names, string(role))
	}
	return names
}

// GrantFirst makes a person the administrator of all merchants in the table that OpenTable opens. It fails where
// anybody has a role already.
func GrantFirst(ctx context.Context, env Env, act Act, who string) error {
	people, err := OpenPeople(ctx, env)
	if err != nil {
		return err
	}
	grants, _, err := people.Grants(ctx)
	if err != nil {
		return err
	}
	if len(grants) > 0 {
		return errors.New("somebody has a role already: an administrator gives more")
	}
	first := grant.Grant{
		Who: who, Role: grant.Admin, Merchants: []string{grant.AllMerchants}, Mode: grant.Both,
		By: act.Who, At: time.Now(),
	}
	by := grant.Person{Who: act.Who, Via: "command", Grants: []grant.Grant{first}}
	return people.Grant(ctx, by, act, first)
}
