package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/internal/api"
	"checkout/internal/operator/grant"
)

// The table of rights in infra/admin.md is that of the service.
func TestRightsAreDocumented(t *testing.T) {
	file := filepath.Join(root, "infra", "admin.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const header = "|---|---|---|---|---|---|---|\n"
	before, rest, found := strings.Cut(string(text), header)
	_, after, ended := strings.Cut(rest, "\n\n")
	if !found || !ended {
		t.Fatalf("%s has no table of rights", file)
	}
	if strings.HasPrefix(rest, "\n") { // it has no row yet
		after = rest[1:]
	}
	want := before + header + rightsTable() + "\n" + after
	if *update {
		err = os.WriteFile(file, []byte(want), 0o666)
	} else if string(text) != want {
		err = fmt.Errorf("%s has other rights than the service (-update writes them)", file)
	}
	if err != nil {
		t.Error(err)
	}
}

// rightsTable has a row for each right, with how far it goes for each role.
func rightsTable() string {
	var table strings.Builder
	for _, right := range grant.Rights {
		fmt.Fprintf(&table, "| `%s` |", right)
		for _, role := range grant.Roles {
			p := grant.Person{Grants: []grant.Grant{{Role: role, Mode: grant.Both}}}
			fmt.Fprintf(&table, " %s |", levels(p.Most(right, false), p.Most(right, true)))
		}
		var routes []string
		for _, route := range api.Admin(&api.Services{}) {
			if route.Rule().Right == right {
				routes = append(routes, "`"+strings.TrimPrefix(route.Path, "/admin/v1")+"`")
			}
		}
		fmt.Fprintf(&table, " %s |\n", strings.Join(routes, " "))
	}
	return table.String()
}

func levels(live, test grant.Level) string {
	words := map[grant.Level]string{grant.Masked: "masked", grant.Full: "yes"}
	switch {
	case live == test:
		return words[live]
	case live == grant.None:
		return "test"
	}
	return "live " + words[live] + ", test " + words[test]
}
