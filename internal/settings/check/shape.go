package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

// Texts for whoever writes a file.
const (
	textNoSetting = "There is no such setting."
	textSwitch    = "It should be true or false, without quotation marks."
	textNumber    = "It should be a whole number, without quotation marks."
	textText      = "It should be a text in quotation marks."
	textTime      = "It should be a time such as 2026-01-31T12:00:00Z."
	textList      = "It should be a list in square brackets."
	textObject    = "It should be an object in braces."
)

// Shape finds the members of settings in JSON that no setting has, and values of another kind. It removes both, so that
// the rest can be read and checked.
func Shape(of map[string]any, connectors settings.Declarations) []Finding {
	s := shape{connectors: connectors}
	s.object(of, "", "")
	return s.found
}

type shape struct {
	connectors settings.Declarations
	found      []Finding
}

// object removes what is wrong in an object. path is that of the object, row the same in the form of Row.Path.
func (s *shape) object(of map[string]any, path, row string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		at := strings.TrimPrefix(path+"."+name, ".")
		var found *table.Row
		if !strings.ContainsAny(name, ".[]{}") {
			found = table.Find(strings.TrimPrefix(row+"."+name, "."))
		}
		if found == nil {
			f := Finding{Path: at, Text: textNoSetting}
			f.offer(name, table.Members(row))
			s.found = append(s.found, f)
			delete(of, name)
		} else if s.isWrong(of[name], at, found) {
			delete(of, name)
		}
	}
}

// isWrong reports a value that is of another kind than its row, and removes what is wrong below it. A null is none.
func (s *shape) isWrong(value any, path string, row *table.Row) bool {
	text := ""
	switch row.Kind {
	case table.Switch:
		if _, is := value.(bool); !is {
			text = textSwitch
		}
	case table.Number:
		number, _ := value.(json.Number)
		if _, err := number.Int64(); err != nil {
			text = textNumber
		}
	case table.Time:
		if at, _ := value.(string); !isTime(at) {
			text = textTime
		}
	case table.Texts, table.Choices, table.Items:
		text = s.list(value, path, row)
	case table.Group, table.Map, table.Credentials, table.Presets:
		text = s.members(value, path, row)
	default:
		if _, is := value.(string); !is {
			text = textText
		}
	}
	if text == "" || value == nil {
		return false
	}
	f := Finding{Path: path, Text: text}
	given, _ := value.(string)
	if choices := choicesOf(row, s.connectors); !slices.Contains(choices, given) {
		f.offer(given, choices)
	}
	if !row.Secret && row.Kind != table.Credentials && row.Kind != table.Presets {
		f.Value = shown(value)
	}
	s.found = append(s.found, f)
	return true
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// list returns what is wrong with a list as a whole, "" if nothing is. What is wrong in it becomes an empty item.
func (s *shape) list(value any, path string, row *table.Row) string {
	list, is := value.([]any)
	if !is {
		return textList
	}
	item, empty := *row, any("")
	item.Kind = table.Text
	if row.Kind == table.Items {
		item, empty = table.Row{Path: row.Path + "[]", Kind: table.Group}, any(map[string]any{})
	}
	for i, one := range list {
		if s.isWrong(one, fmt.Sprintf("%s[%d]", path, i), &item) {
			list[i] = empty
		}
	}
	return ""
}

// members returns what is wrong with an object as a whole, "" if nothing is.
func (s *shape) members(value any, path string, row *table.Row) string {
	object, is := value.(map[string]any)
	switch {
	case !is:
		return textObject
	case row.Kind == table.Group:
		s.object(object, path, row.Path)
		return ""
	}
	entry := *row
	entry.Kind, entry.Secret, entry.Choices, entry.From = table.Text, row.Secret || row.Kind != table.Map, nil, ""
	if row.Kind == table.Presets {
		entry.Kind, entry.Secret = table.Map, true
	} else if below := table.Find(row.Path + "{}"); row.Kind == table.Map && below != nil && below.Path != row.Path {
		entry = *below
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.isWrong(object[name], path+"."+name, &entry) {
			delete(object, name)
		}
	}
	return ""
}
