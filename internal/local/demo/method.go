package demo

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// method is a payment method of the service's catalogue, infra/methods.json.
type method struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"`
	Name       string   `json:"name"`
	Group      string   `json:"group"`
	Family     string   `json:"family"`
	Operations []string `json:"operations"`
	Countries  []string `json:"countries"`  // empty: all
	Currencies []string `json:"currencies"` // empty: all
	Offered    bool     `json:"offered"`
	Rows       []row    `json:"rows"`
}

// row is a parameter of a method.
type row struct {
	Path string `json:"path"` // [] stands for each item of a list
	Need string `json:"need"`
	Ask  bool   `json:"ask"` // the page asks for it, if it is not sent
}

// methods are those that the shop's merchant has, in the order of the catalogue.
type methods []method

// readMethods reads a catalogue and leaves out what is not offered and what the merchant does not have.
func readMethods(file string, has []string) (methods, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the demo shop's catalogue of methods can't be read: %w", err)
	}
	var all methods
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return slices.DeleteFunc(all, func(m method) bool { return !m.Offered || !slices.Contains(has, m.ID) }), nil
}

// find returns the method with an id, one without an id if there is none.
func (all methods) find(id string) method {
	for _, m := range all {
		if m.ID == id {
			return m
		}
	}
	return method{}
}

// groupNames are the headings of groups in the shop.
var groupNames = map[string]string{
	"card": "Cards", "wallet": "Wallets", "crypto": "Crypto", "bank": "Banks", "cash": "Cash and vouchers",
	"mobile": "Phones and apps", "installments": "Pay later", "link": "Links", "payout": "Payouts",
}

// group is a heading with its methods.
type group struct {
	Name    string
	Methods methods
}

// groups returns the methods by group, in the order of the catalogue.
func (all methods) groups() (groups []group) {
	for _, m := range all {
		name := groupNames[m.Group]
		if name == "" {
			name = m.Group
		}
		i := slices.IndexFunc(groups, func(g group) bool { return g.Name == name })
		if i < 0 {
			i, groups = len(groups), append(groups, group{Name: name})
		}
		groups[i].Methods = append(groups[i].Methods, m)
	}
	return groups
}

// Note says where a method can be used and what it does, "" for payments that anybody can make.
func (m method) Note() string {
	var parts []string
	if !slices.Contains(m.Operations, "purchase") {
		for _, o := range operations {
			if slices.Contains(m.Operations, o.Name) {
				parts = append(parts, o.Value)
			}
		}
	}
	for _, limit := range [][]string{m.Countries, m.Currencies} {
		if len(limit) > 0 {
			parts = append(parts, strings.Join(limit, ", "))
		}
	}
	return strings.Join(parts, " · ")
}

// Values returns the examples of what the page asks for, to type there.
func (m method) Values() (values []pair) {
	for _, r := range m.Rows {
		if value := m.example(r); r.Ask && value != "" {
			values = append(values, pair{r.Path, value})
		}
	}
	return values
}

// TypedOnly reports whether the payer has to type some value on the page, since shops never send it.
func (m method) TypedOnly() bool {
	return slices.ContainsFunc(m.Rows, func(r row) bool { return onPage[r.Path] })
}

// parameters returns the examples of what a request has to send for the method, nil if that is nothing. What the page
// asks for is left out if the buyer wants to type it.
func (m method) parameters(ask bool) map[string]any {
	sent := map[string]any{}
	for _, r := range m.Rows {
		value := m.example(r)
		if value == "" || r.Ask && (ask || onPage[r.Path]) {
			continue
		}
		put(sent, strings.Split(r.Path, "."), value)
	}
	if len(sent) == 0 {
		return nil
	}
	return sent
}

// put stores a value at a path below an object. A list gets one item.
func put(in map[string]any, path []string, value string) {
	name, list := strings.CutSuffix(path[0], "[]")
	if len(path) == 1 {
		in[name] = value
		return
	}
	below := map[string]any{}
	switch known := in[name].(type) {
	case map[string]any:
		below = known
	case []any:
		below = known[0].(map[string]any)
	}
	if in[name] = below; list {
		in[name] = []any{below}
	}
	put(below, path[1:], value)
}

// example returns a good value of a parameter, "" for one that nobody needs.
func (m method) example(r row) string {
	if value := examples[m.ID+"/"+r.Path]; value != "" {
		return value
	}
	if r.Need == "optional" || m.Family == "card" {
		return ""
	}
	return examples[r.Path]
}

// operations are those of the protocol, by the words of the shop.
var operations = []pair{
	{"purchase", "Pay"}, {"debit", "Charge"}, {"credit", "Pay out"}, {"transfer", "Send to a person"},
}
