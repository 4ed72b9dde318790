// Package words says what a change of a merchant's settings is, for people.
package words

import (
	"encoding/json"
	"slices"
	"strings"

	"checkout/internal/settings/merge"
	"checkout/internal/settings/table"
)

// Change is one setting that is other than before.
type Change struct {
	Path  string `json:"path"`  // mappings[default].mids[card].weight
	Label string `json:"label"` // Mapping default, MID card: Weight
	Text  string `json:"text"`  // 2 becomes 3
}

// String returns the change in one line, with the path as files have it.
func (c Change) String() string { return c.Path + ": " + c.Text }

// Between returns what is other in settings than before. Both are JSON objects without secrets.
func Between(before, after []byte) ([]Change, error) {
	found, err := merge.Differences(before, after)
	if err != nil {
		return nil, err
	}
	changes := make([]Change, 0, len(found))
	for _, d := range found {
		changes = append(changes, Change{d.Path, Label(d.Path), text(d)})
	}
	return changes, nil
}

// Label returns a path as people call it: "Mapping default, MID card: Weight". Items are known by their names, or by
// their numbers from 0 on.
func Label(path string) string {
	var items []string
	name, within := "", ""
	for rest := path; rest != ""; {
		var member, item string
		member, item, rest = step(rest)
		within = strings.TrimPrefix(within+"."+member, ".")
		row := table.Find(within)
		switch {
		case row == nil && name != "": // an entry of a map, or a credential
			name += " " + member
		case row == nil:
			name = member
		case item != "" && row.Item != "":
			items, name, item = append(items, row.Item+" "+item), "", ""
			within += "[]"
		case name != "":
			name += ", " + row.Label
		default:
			name = row.Label
		}
		if item != "" { // of a list of texts
			name += " " + item
		}
	}
	where := strings.Join(items, ", ")
	switch {
	case where == "":
		return name
	case name == "":
		return where
	}
	return where + ": " + name
}

// step returns the first member of a path, with the item in it if one is named, and the rest of the path.
func step(path string) (member, item, rest string) {
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return path, "", ""
	}
	member, rest = path[:end], path[end:]
	if rest[0] == '[' {
		if last := closing(rest); last > 0 {
			item, rest = rest[1:last], rest[last+1:]
		}
	}
	return member, item, strings.TrimPrefix(rest, ".")
}

// closing returns where the bracket ends with which a text begins: a name in it may have brackets and dots of its own.
func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// text says what is other.
func text(d merge.Difference) string {
	row := table.Find(d.Within)
	if row == nil {
		row = &table.Row{}
	}
	before, isList := d.Before.([]any)
	after, areLists := d.After.([]any)
	switch {
	case len(d.Order) > 0:
		return "the order becomes " + strings.Join(d.Order, ", ")
	case row.Kind == table.Switch && d.After == true:
		return "is switched on"
	case row.Kind == table.Switch && d.Before == true && row.Default == "":
		return "is switched off"
	case row.Kind == table.Switch && d.After == false:
		return "is switched off"
	case row.Kind == table.File && d.Before != nil && d.Before != "" && d.After != nil:
		return "is another one"
	case row.Kind == table.File && d.After != nil:
		return "is new"
	case row.Kind == table.File:
		return "goes"
	case isList && areLists && areTexts(before) && areTexts(after):
		return listText(before, after)
	case d.Before == nil:
		return "is new, " + shown(d.After) + otherwise(row)
	case d.After == nil:
		return "goes, it was " + shown(d.Before) + otherwise(row)
	}
	return shown(d.Before) + " becomes " + shown(d.After)
}

// otherwise returns what counts where a setting is absent, "" if the row does not say.
func otherwise(row *table.Row) string {
	if row.Default == "" {
		return ""
	}
	return " (default: " + row.Default + ")"
}

func areTexts(list []any) bool {
	return !slices.ContainsFunc(list, func(value any) bool { _, is := value.(string); return !is })
}

// listText says what a list of texts has more and what it lacks.
func listText(before, after []any) string {
	var parts []string
	if added := without(after, before); len(added) > 0 {
		parts = append(parts, "has "+strings.Join(added, ", ")+" more")
	}
	if removed := without(before, after); len(removed) > 0 {
		parts = append(parts, "lacks "+strings.Join(removed, ", ")+" now")
	}
	if len(parts) == 0 {
		return "the order becomes " + strings.Join(without(after, nil), ", ")
	}
	return strings.Join(parts, "; ")
}

func without(list, others []any) (texts []string) {
	for _, value := range list {
		if !slices.Contains(others, value) {
			texts = append(texts, value.(string))
		}
	}
	return texts
}

// maxText is how many characters of a value are shown.
const maxText = 200

// shown returns a value as JSON, its beginning if it is long.
func shown(value any) string {
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("marshal a JSON value: " + err.Error()) // can't happen: it was read from JSON
	}
	short := []rune(strings.TrimSpace(encoded.String()))
	if len(short) > maxText {
		return string(short[:maxText]) + "…"
	}
	return string(short)
}
