package check

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/settings/merge"
	"checkout/internal/settings/table"
)

// Finding is a fault with what helps to mend it. A secret has no Value.
type Finding struct {
	Path    string   `json:"path,omitempty"`
	Place   string   `json:"place,omitempty"` // the path with the name or id of each item that has one
	Text    string   `json:"text"`
	Value   string   `json:"value,omitempty"` // that is wrong, as JSON
	Choices []string `json:"choices,omitempty"`
	Meant   string   `json:"meant,omitempty"` // the choice that is most like the value
}

// A text lists up to maxChoices, and of more than these the maxFirst that are most like the value.
const (
	maxChoices = 25
	maxFirst   = 10
)

// offer adds what there is to choose from in place of a text. Of many choices those come first that are most like it.
func (f *Finding) offer(text string, choices []string) {
	f.Choices, f.Meant = slices.Clone(choices), nearest(text, choices)
	if len(f.Choices) > maxChoices && text != "" {
		slices.SortStableFunc(f.Choices, func(a, b string) int { return likeness(text, a) - likeness(text, b) })
	}
}

// String returns the finding in one line.
func (f Finding) String() string {
	line := strings.TrimPrefix(f.Place+": "+f.Text, ": ")
	if f.Value != "" {
		line += " It is " + f.Value + "."
	}
	if f.Meant != "" {
		line += fmt.Sprintf(" Did you mean %q?", f.Meant)
	}
	if n := len(f.Choices); n > maxChoices {
		line += fmt.Sprintf(" The first of %d choices: %s.", n, strings.Join(f.Choices[:maxFirst], ", "))
	} else if n > 0 {
		line += " Choices: " + strings.Join(f.Choices, ", ") + "."
	}
	return line
}

// Explain returns the faults of a merchant's settings with their places, values and choices, after those that Shape has
// found. A fault of what Shape has removed is left out.
func Explain(m settings.Merchant, shapes []Finding, faults []fault.Fault) []Finding {
	all := append([]Finding{}, shapes...)
	m = m.Clone()
	m.TakeSecrets()
	m.MaskPresets()
	places := slices.Collect(table.All(&m))
	for _, f := range faults {
		removed := slices.ContainsFunc(shapes, func(s Finding) bool { return isWithin(f.Path, s.Path) })
		if !removed {
			all = append(all, explain(&m, places, f))
		}
	}
	whole, err := json.Marshal(m)
	if err != nil {
		panic("marshal settings: " + err.Error()) // can't happen: they were read from JSON
	}
	for i := range all {
		all[i].Place = merge.Named(whole, all[i].Path)
	}
	return all
}

// isWithin reports whether a path is another one, or is below it.
func isWithin(path, of string) bool {
	rest, within := strings.CutPrefix(path, of)
	return within && of != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// explain adds the value of a fault, and the choices where it is none of them.
func explain(m *settings.Merchant, places []table.Place, f fault.Fault) Finding {
	found := Finding{Path: f.Path, Text: f.Text}
	var place table.Place
	for _, p := range places { // a setting comes after the one that it is part of
		if isWithin(f.Path, p.Path) {
			place = p
		}
	}
	if place.Row == nil || place.Row.Secret {
		return found
	}
	w := wrongPlace{place, strings.TrimPrefix(f.Path, place.Path)}
	value, choices := w.ofMID(m, w.value(), choicesOf(place.Row, m.Connectors))
	if value != nil {
		found.Value = shown(value)
	}
	if f.Text == method.TextNotChoice || strings.HasSuffix(f.Text, textNoCredential) {
		text, _ := value.(string)
		found.offer(text, choices)
	}
	return found
}

// wrongPlace is a setting that is wrong, and what of it is: rest is an item of a list of texts, or an entry of a map.
type wrongPlace struct {
	table.Place
	rest string
}

// value returns what is wrong; of an entry with a name that is none of the map's the name. It is nil for none.
func (p wrongPlace) value() any {
	rest := p.rest
	switch value := p.Value; {
	case rest != "" && value.Kind() == reflect.Slice:
		i, err := strconv.Atoi(strings.Trim(rest, "[]"))
		if err == nil && i < value.Len() && value.Index(i).Kind() == reflect.String {
			return value.Index(i).String()
		}
	case rest != "" && p.Row.Kind == table.Map:
		name, value := strings.TrimPrefix(rest, "."), p.Value.MapIndex(reflect.ValueOf(strings.TrimPrefix(rest, ".")))
		if p.Row.Keys != nil && p.Row.Keys(name) != "" || !value.IsValid() || value.Kind() != reflect.String {
			return name
		}
		return value.String()
	case rest == "" && value.Kind() == reflect.String && value.Len() > 0:
		return value.String()
	case rest == "" && value.Kind() == reflect.Int:
		return value.Int()
	}
	return nil
}

// ofMID returns the value and the choices of what depends on the MID: methods that have to be its own, and credentials.
func (p wrongPlace) ofMID(m *settings.Merchant, value any, choices []string) (any, []string) {
	var i, j int
	if n, _ := fmt.Sscanf(p.Path, "mappings[%d].mids[%d].", &i, &j); n < 2 {
		return value, choices
	}
	mid := m.Mappings[i].MIDs[j]
	id, name, isRow := strings.Cut(strings.TrimPrefix(p.rest, "."), ".")
	switch p.Row.Path {
	case "mappings[].mids[].names", "mappings[].mids[].offers[].method":
		if text, _ := value.(string); slices.Contains(mid.Methods, text) {
			return value, choices
		}
		return value, mid.Methods
	case "mappings[].mids[].connector":
		return value, slices.DeleteFunc(choices, func(name string) bool { return name == settings.SandboxConnector })
	case "mappings[].mids[].presets":
		if !isRow {
			return id, mid.Methods
		}
		of, _ := method.Find(id)
		var rows []string
		for _, row := range of.PresetRows() {
			rows = append(rows, row.Name)
		}
		return name, rows
	case "mappings[].mids[].credentials":
		return ofCredential(m.Connectors, mid, id)
	}
	return value, choices
}

// ofCredential returns the value of a credential that is no secret, and its choices; of one that its connector does not
// declare the name, and those of the declared ones.
func ofCredential(all settings.Declarations, mid settings.MID, name string) (any, []string) {
	i := slices.IndexFunc(all[mid.Connector].Credentials, func(c settings.Credential) bool { return c.Name == name })
	if i < 0 {
		return name, all.CredentialNames(mid.Connector)
	}
	var value any
	if text := mid.Credentials[name]; text != "" && all.IsPlain(mid.Connector, name) {
		value = text
	}
	switch credential := all[mid.Connector].Credentials[i]; credential.Kind {
	case settings.KindCurrency:
		return value, table.Currencies.Values(all)
	case settings.KindMarket:
		return value, table.Countries.Values(all)
	default:
		return value, credential.Values
	}
}

// choicesOf returns the choices of a setting, nil if it may have any value.
func choicesOf(row *table.Row, connectors settings.Declarations) []string {
	if row.From != "" {
		return row.From.Values(connectors)
	}
	return slices.Clone(row.Choices)
}

// maxValue is how many characters of a value are shown.
const maxValue = 80

// shown returns a value as JSON, its beginning if it is long.
func shown(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("marshal a JSON value: " + err.Error()) // can't happen: it was read from JSON
	}
	short := []rune(strings.TrimSpace(text.String()))
	if len(short) > maxValue {
		return string(short[:maxValue]) + "…"
	}
	return string(short)
}

// nearest returns the choice that is most like a text, "" if none is like it.
func nearest(text string, choices []string) (best string) {
	least := len(text)/2 + 1
	for _, choice := range choices {
		if d := likeness(text, choice); d < least {
			best, least = choice, d
		}
	}
	return best
}

// likeness is less the more two texts are like each other. A part of a text is nearly that text, a long one like none.
func likeness(text, choice string) int {
	if len(text) > maxValue {
		return len(text)
	}
	text, choice = strings.ToLower(text), strings.ToLower(choice)
	d := distance(text, choice)
	switch isPart := len(text) > 2 && len(choice) > 2; {
	case isPart && strings.HasPrefix(choice, text):
		return min(d, 1)
	case isPart && (strings.Contains(choice, text) || strings.Contains(text, choice)):
		return min(d, 2)
	}
	return d
}

// distance is how many letters are added, removed, replaced or swapped with the next one between two texts.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
