package table_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

// paths returns the paths of all settings that a type has, as Row.Path is written.
func paths(of reflect.Type, at string) (all []string) {
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || !field.IsExported() || name == "-" {
			continue
		}
		path, kind := strings.TrimPrefix(at+"."+name, "."), field.Type
		if all = append(all, path); kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch {
		case kind == reflect.TypeFor[time.Time]():
		case kind == reflect.TypeFor[settings.Compatibility]():
			for _, row := range table.Rows() {
				if strings.HasPrefix(row.Path, path+".") {
					all = append(all, row.Path)
				}
			}
		case name == "labels":
			all = append(all, path+"{}")
		case kind.Kind() == reflect.Struct:
			all = append(all, paths(kind, path)...)
		case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Struct:
			all = append(all, paths(kind.Elem(), path+"[]")...)
		}
	}
	return all
}

// Each setting has a row, and each row a setting.
func TestEverySettingHasARow(t *testing.T) {
	var rows []string
	for _, row := range table.Rows() {
		rows = append(rows, row.Path)
	}
	fields := paths(reflect.TypeFor[settings.Merchant](), "")
	for _, path := range fields {
		if !slices.Contains(rows, path) {
			t.Errorf("%s has no row", path)
		}
	}
	for i, path := range rows {
		if !slices.Contains(fields, path) {
			t.Errorf("%s is no setting", path)
		}
		if slices.Contains(rows[:i], path) {
			t.Errorf("%s is there twice", path)
		}
	}
}

// A row says enough for a form: how it is called, where it stands, and what can be chosen.
func TestRowsAreWhole(t *testing.T) {
	for _, row := range table.Rows() {
		if row.Label == "" || !slices.Contains(table.Sections, table.SectionOf(&row)) {
			t.Errorf("%s: label %q, section %q", row.Path, row.Label, table.SectionOf(&row))
		}
		if help := row.Help; help != "" && !strings.HasSuffix(help, ".") && !strings.HasSuffix(help, "base64.") {
			t.Errorf("%s: the help is no sentence: %s", row.Path, help)
		}
		chosen := row.Kind == table.Choice || row.Kind == table.Choices
		if row.Kind != table.Map && chosen != (len(row.Choices) > 0 || row.From != "") {
			t.Errorf("%s: kind %s, choices %v from %q", row.Path, row.Kind, row.Choices, row.From)
		}
		for _, choice := range row.From.Values(settings.Declarations{"bank": {}}) {
			check := row.Check
			if row.Kind == table.Map {
				check = row.Keys
			}
			if check != nil && check(choice) != "" {
				t.Errorf("%s: %q can be chosen and is refused: %s", row.Path, choice, check(choice))
			}
		}
		if (row.Kind == table.Items) != (row.Item != "") {
			t.Errorf("%s: an item is called %q", row.Path, row.Item)
		}
		if (row.Kind == table.Number) != (row.Most > 0) {
			t.Errorf("%s: kind %s, at most %d", row.Path, row.Kind, row.Most)
		}
	}
}

// The protocol's document lists every switch of compatibility.
func TestProtocolHasTheSwitches(t *testing.T) {
	text, switches := requesttest.Protocol(t), 0
	for _, row := range table.Rows() {
		name, is := strings.CutPrefix(row.Path, "mappings[].compatibility.")
		if !is || name == settings.PresetName {
			continue
		}
		if switches++; !strings.Contains(text, "| `"+name+": "+row.Choices[0]+"` |") {
			t.Errorf("%s: %s is not listed", name, row.Choices[0])
		}
	}
	if switches != 10 {
		t.Errorf("%d switches", switches)
	}
}

// A form finds all choices, and no row's section is left open.
func TestDescribe(t *testing.T) {
	d := table.Describe(settings.Declarations{"bank": {}})
	for _, row := range d.Rows {
		if row.Section == "" || row.From != "" && len(d.Lists[row.From]) == 0 {
			t.Errorf("%s: section %q, %d choices", row.Path, row.Section, len(d.Lists[row.From]))
		}
	}
	for path, section := range map[string]string{
		"mappings[].max_declines": table.SectionLimits, "mappings[].mids[].limits[].max": table.SectionLimits,
		"mappings[].mids[].wallets.applepay": table.SectionWallets, "mappings[].mids[].weight": table.SectionMappings,
		"forms[].branding.logo": table.SectionForms,
	} {
		if got := table.SectionOf(table.Find(path)); got != section {
			t.Errorf("%s stands in %s", path, got)
		}
	}
	if len(d.Presets["local_transfer"]) == 0 || d.Presets["card"] != nil || len(d.Lists[table.Countries]) < 200 {
		t.Errorf("presets %v", d.Presets)
	}
}
