// Command methods prints the catalogue of payment methods, infra/methods.json.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// method is one method of the catalogue.
type method struct {
	ID, Label, Name, Family string
	Operations, Countries   []string
	Behaviour               int
	Offered                 bool
	Rows                    []row
	UsedIn                  []string `json:"used_in"`
}

type row struct {
	Set, Path, Type, Need, Default, Check string
	Ask, Preset, Sensitive                bool
	Values                                []string
	NeededBy                              []string `json:"needed_by"`
	NotIn                                 []string `json:"not_in"`
}

func main() {
	if err := run("infra/methods.json", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints a catalogue.
func run(path string, to io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var methods []method
	if err := json.Unmarshal(text, &methods); err != nil {
		return err
	}
	out := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	for _, m := range methods {
		where := cmp.Or(strings.Join(m.Countries, ", "), "all countries")
		if len(m.UsedIn) > 0 {
			where = "used in " + strings.Join(m.UsedIn, ", ")
		}
		later := ""
		if !m.Offered {
			later = ", not offered yet"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\tbehaviour %d\t%s\t%v\t%s%s\n",
			m.ID, m.Label, m.Name, m.Behaviour, m.Family, m.Operations, where, later)
		for _, row := range m.Rows {
			fmt.Fprintf(out, "    %s\t%s\t%s\t%s\t%s\t%s\n",
				row.Path, row.Type, row.Need, row.Set, marks(row), strings.Join(row.Values, ", "))
		}
	}
	return out.Flush()
}

// marks are the other columns of a row that have a value.
func marks(r row) string {
	var all []string
	for _, mark := range []struct {
		is   bool
		text string
	}{
		{r.Ask, "asked"}, {r.Default != "", "default " + r.Default}, {r.Preset, "preset"},
		{r.Sensitive, "sensitive"}, {len(r.NeededBy) > 0, "needed by " + strings.Join(r.NeededBy, ", ")},
		{len(r.NotIn) > 0, "not in " + strings.Join(r.NotIn, ", ")}, {r.Check != "", r.Check},
	} {
		if mark.is {
			all = append(all, mark.text)
		}
	}
	return strings.Join(all, "; ")
}
