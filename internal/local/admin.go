package local

import (
	"context"
	"fmt"
	"io"
	"strings"

	"checkout/internal/app"
	"checkout/internal/audit"
	"checkout/internal/local/adminpage"
	"checkout/internal/operator/grant"
)

// AdminPerson is somebody who opens the admin page of a local run.
type AdminPerson struct {
	Who   string       // as the audit log has it
	Roles []grant.Role // for all merchants, live and test
}

// AdminPeople are one who may do everything, and one who may do what support may, as the audit log names them.
func AdminPeople(admin, support string) []AdminPerson {
	return []AdminPerson{{admin, []grant.Role{grant.Admin, grant.Finance}}, {support, []grant.Role{grant.Support}}}
}

// People are those of a local run in one process.
var People = AdminPeople(app.LocalOperator, "local/support")

// Grants are those of the person's roles.
func (p AdminPerson) Grants() (all []grant.Grant) {
	for _, role := range p.Roles {
		all = append(all, grant.Grant{Who: p.Who, Role: role, Merchants: []string{grant.AllMerchants}, Mode: grant.Both})
	}
	return all
}

// StartAdmin starts the admin page for a person on a port. Renewed gets new links: see adminpage.Config.
type StartAdmin func(p AdminPerson, port int, renewed func(why, link string)) (*adminpage.Server, error)

// AdminLinks starts the admin page for each person, from a port on (see AdminPort), and returns their links for people
// to read. New ones are written to out. The links are text, not files: who reads them may sit at another machine, with
// a tunnel to this one. What a terminal opens by a click may be read by others of this machine as an argument of a
// program, but only until the browser has used it, and who is faster can't hide it: the person's own browser is then
// refused.
func AdminLinks(out io.Writer, people []AdminPerson, port int, start StartAdmin) (string, error) {
	var lines strings.Builder
	for i, p := range people {
		own := 0
		if port != 0 {
			own = port + i
		}
		server, err := start(p, own, func(why, link string) {
			fmt.Fprintf(out, "%s: %s A new link:\n\n  %s\n", p.Who, why, link)
		})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&lines, "  admin page  %s  %s, opens once\n", server.Link(), p.roles())
	}
	return lines.String(), nil
}

func (p AdminPerson) roles() string {
	var names []string
	for _, role := range p.Roles {
		names = append(names, string(role))
	}
	return strings.Join(names, " and ")
}

// GiveRoles gives people their roles, by the first of them, who is the first administrator.
func GiveRoles(ctx context.Context, roles *app.People, people []AdminPerson) error {
	by := grant.Person{Who: people[0].Who, Grants: people[0].Grants()}
	for _, p := range people {
		for _, g := range p.Grants() {
			if err := GiveRole(ctx, roles, by, g); err != nil {
				return err
			}
		}
	}
	return nil
}

// GiveRole gives a role by an administrator.
func GiveRole(ctx context.Context, roles *app.People, by grant.Person, g grant.Grant) error {
	if err := roles.Grant(ctx, by, audit.Act{}, g); err != nil {
		return fmt.Errorf("give %s the role %s: %w", g.Who, g.Role, err)
	}
	return nil
}
