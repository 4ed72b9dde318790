package method

// catalogueMethod is one method as infra/methods.json shows it.
type catalogueMethod struct {
	ID         string         `json:"id"`
	Label      string         `json:"label"`
	Name       string         `json:"name"`
	Operations []Operation    `json:"operations"`
	Behaviour  Behaviour      `json:"behaviour"`
	Family     Family         `json:"family"`
	Group      string         `json:"group"`
	Icon       string         `json:"icon"`
	Countries  []string       `json:"countries"`  // empty: all
	Currencies []string       `json:"currencies"` // empty: all
	UsedIn     []string       `json:"used_in"`    // where countries is empty; empty: everywhere
	Offered    bool           `json:"offered"`
	Rows       []catalogueRow `json:"rows"`
	Rules      []string       `json:"rules,omitempty"`

	BehaviourIn map[string]Behaviour `json:"behaviour_in,omitempty"`
}

// catalogueRow is one parameter, with its path inside parameters.<id>. [] stands for each item of a list.
type catalogueRow struct {
	Set       string   `json:"set"`
	Path      string   `json:"path"`
	Type      string   `json:"type"`
	Need      Need     `json:"need"`
	Ask       bool     `json:"ask"`
	Default   string   `json:"default"`
	Preset    bool     `json:"preset"`
	Sensitive bool     `json:"sensitive"`
	Values    []string `json:"values"`
	NeededBy  []string `json:"needed_by"`
	NotIn     []string `json:"not_in,omitempty"`
	Check     Check    `json:"check,omitempty"`
}

// catalogue returns all methods, also those that are not offered yet.
func catalogue() []catalogueMethod {
	all := []catalogueMethod{}
	for _, m := range Methods {
		c := catalogueMethod{
			ID: m.ID, Label: m.Label, Name: m.Name, Operations: m.Operations, Behaviour: m.Behaviour, Family: m.Family,
			Group: m.Group, Icon: m.Icon, Countries: list(m.Countries), Currencies: list(m.Currencies),
			UsedIn: list(m.UsedIn), Offered: !m.Unfinished, Rows: []catalogueRow{}, BehaviourIn: m.BehaviourIn,
		}
		if len(c.Operations) == 0 {
			c.Operations = Operations
		}
		for _, set := range m.Sets {
			c.Rows = append(c.Rows, catalogueRows(set.Name, set.Rows, "")...)
			for _, rule := range set.Rules {
				c.Rules = append(c.Rules, rule.Name)
			}
		}
		all = append(all, c)
	}
	return all
}

func catalogueRows(set string, rows []Param, path string) (all []catalogueRow) {
	for _, row := range rows {
		all = append(all, catalogueRow{
			Set: set, Path: path + row.Name, Type: row.Type, Need: row.Need, Ask: row.Page != nil, Default: row.Default,
			Preset: row.Preset, Sensitive: row.Sensitive, Values: list(row.Values), NeededBy: list(row.NeededBy),
			NotIn: row.NotIn, Check: row.Check,
		})
		below := path + row.Name + "."
		if row.Type == TypeList {
			below = path + row.Name + "[]."
		}
		all = append(all, catalogueRows(set, row.Rows, below)...)
	}
	return all
}

// list returns a list that is not nil, so that JSON has it as an empty list.
func list(texts []string) []string { return append([]string{}, texts...) }
