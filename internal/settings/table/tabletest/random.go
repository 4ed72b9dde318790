// Package tabletest draws random settings for tests.
package tabletest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

// texts are values of settings: a setting has those that its row takes.
var texts = []string{
	"Pens", "a", "Ink & paper <é>", "https://shop.example/path", "https://shop.example", "shop.svg", "help@shop.example",
	"+49 30 1234567", "1 Pen Road, Inktown", "#0a7d4f", "images.shop.example", "penshop", "com.example.pens", "19", "5.5",
	"whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==", "0f8fad5b-d9cb-469f-a165-70867728950e",
}

// Random draws a merchant with random settings that pass every check, and without wallets. Its connectors are bank,
// which needs no credentials, and no others.
func Random(t *rapid.T, id string) settings.Merchant {
	m := settings.Merchant{}
	(&random{t, map[string]int{}}).object(reflect.ValueOf(&m).Elem(), "")
	m.ID, m.LiveKey, m.TestKey = id, id+"-live", id+"-test"
	m.Password, m.CallbackSecret = "secret", texts[15]
	m.Connectors = settings.Declarations{"bank": {}}
	for i := range m.Mappings {
		for j := range m.Mappings[i].MIDs {
			fixMID(&m.Mappings[i].MIDs[j])
		}
		for j := range m.Mappings[i].PreRouting {
			fixRule(&m.Mappings[i].PreRouting[j])
		}
	}
	for i := range m.Schedules {
		if m.Schedules[i].IntervalUnit == settings.UnitDay {
			m.Schedules[i].DayOfMonth = 0
		}
	}
	for i := range m.Forms {
		f := &m.Forms[i]
		f.OptionalFields = slices.DeleteFunc(f.OptionalFields,
			func(id string) bool { return slices.Contains(f.RequiredFields, id) })
		if slices.Contains(f.Order, method.PayerState) {
			f.Order = nil
		}
	}
	return m
}

// fixMID makes settings agree that have to do with one another.
func fixMID(mid *settings.MID) {
	mid.Credentials, mid.Presets = nil, nil
	mid.Methods = slices.DeleteFunc(mid.Methods, func(id string) bool {
		found, _ := method.Find(id)
		return len(found.Countries) > 0 // whose currencies are few
	})
	if len(mid.Methods) == 0 {
		mid.Methods = []string{"card"}
	}
	for id := range mid.Names {
		if !slices.Contains(mid.Methods, id) {
			delete(mid.Names, id)
		}
	}
	mid.Offers = slices.DeleteFunc(mid.Offers, func(o settings.Offer) bool {
		return !slices.Contains(mid.Methods, o.Method)
	})
	for i := range mid.Limits {
		fixBounds(mid.Limits[i].Currency, &mid.Limits[i].Min, &mid.Limits[i].Max)
	}
}

func fixRule(rule *settings.PreRoute) {
	if len(rule.Currencies) != 1 {
		rule.MinAmount, rule.MaxAmount = "", ""
		return
	}
	fixBounds(rule.Currencies[0], &rule.MinAmount, &rule.MaxAmount)
}

func fixBounds(code string, least, most *string) {
	currency, _ := money.Find(code)
	a, errA := money.Parse(*least, currency)
	b, errB := money.Parse(*most, currency)
	if errA == nil && errB == nil && a.Cmp(b) > 0 {
		*least, *most = *most, *least
	}
}

// random draws values. Each item of a list has a name of its own.
type random struct {
	*rapid.T
	items map[string]int
}

func (r *random) object(of reflect.Value, path string) {
	for i := range of.NumField() {
		field := of.Type().Field(i)
		name := jsonName(field)
		switch {
		case field.Anonymous:
			r.object(of.Field(i), path)
		case field.IsExported() && name != "-" && name != "wallets":
			r.value(of.Field(i), strings.TrimPrefix(path+"."+name, "."))
		}
	}
}

// jsonName returns the name of a field in JSON.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

func (r *random) value(of reflect.Value, path string) {
	row := table.Find(path)
	if !row.Required && rapid.Bool().Draw(r.T, path+" is there") {
		return
	}
	switch {
	case of.Kind() == reflect.Struct:
		r.object(of, path)
	case of.Kind() == reflect.Pointer:
		of.Set(reflect.New(of.Type().Elem()))
		of.Elem().SetBool(rapid.Bool().Draw(r.T, path))
	case of.Kind() == reflect.Bool:
		of.SetBool(rapid.Bool().Draw(r.T, path))
	case of.Kind() == reflect.Int:
		of.SetInt(int64(rapid.IntRange(1, row.Most).Draw(r.T, path)))
	case of.Kind() == reflect.String:
		of.SetString(r.text(row))
	case of.Kind() == reflect.Slice && of.Type().Elem().Kind() == reflect.Struct:
		r.list(of, row)
	case of.Kind() == reflect.Slice:
		for _, text := range r.some(choices(row)) {
			of.Set(reflect.Append(of, reflect.ValueOf(text).Convert(of.Type().Elem())))
		}
	case row.Kind == table.Group:
		of.Set(reflect.ValueOf(settings.Compatibility{
			settings.PresetName: settings.PluginPreset, settings.UpperSwitch: settings.SwitchOff,
		}))
	case row.Kind == table.Map && of.Type().Elem().Kind() == reflect.String:
		of.Set(reflect.ValueOf(map[string]string{}))
		for _, name := range r.some(row.From.Values(nil)) {
			of.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(r.text(row)))
		}
	case row.Kind == table.Map:
		of.Set(reflect.ValueOf(map[string]map[string]string{"payer_phone": {"en": "Phone", "de": "Telefon"}}))
	}
}

// list draws up to three items.
func (r *random) list(of reflect.Value, row *table.Row) {
	for range rapid.IntRange(0, 3).Draw(r.T, row.Path) {
		item := reflect.New(of.Type().Elem()).Elem()
		r.object(item, row.Path+"[]")
		if row.Key != "" {
			r.items[row.Path]++
			item.FieldByIndex(fieldOf(item.Type(), row.Key)).SetString(r.key(row))
		}
		of.Set(reflect.Append(of, item))
	}
}

// fieldOf returns the index of the field with a name in JSON.
func fieldOf(of reflect.Type, name string) []int {
	fields := reflect.VisibleFields(of)
	return fields[slices.IndexFunc(fields, func(f reflect.StructField) bool { return jsonName(f) == name })].Index
}

// key returns a new name of an item.
func (r *random) key(row *table.Row) string {
	n := r.items[row.Path]
	switch row.Path {
	case "forms":
		return fmt.Sprintf("0f8fad5b-d9cb-469f-a165-%012d", n)
	case "mappings[].mids[].limits":
		return money.Codes()[n%len(money.Codes())]
	}
	return fmt.Sprintf("%s %d", row.Item, n)
}

func (r *random) text(row *table.Row) string {
	switch {
	case row.Path == "mappings[].mids[].connector":
		return "bank"
	case row.Kind == table.Amount:
		return fmt.Sprint(rapid.IntRange(1, 9999).Draw(r.T, row.Path))
	}
	return rapid.SampledFrom(choices(row)).Draw(r.T, row.Path)
}

// some draws up to three of some texts, in any order.
func (r *random) some(all []string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, min(3, len(all)), rapid.ID[string]).Draw(r.T, "some")
}

// choices are the texts that a setting can have.
func choices(row *table.Row) []string {
	all := row.Choices
	if row.Kind == table.Choice || row.Kind == table.Choices {
		all = append(all, row.From.Values(nil)...)
	} else {
		all = texts
	}
	return slices.DeleteFunc(slices.Clone(all),
		func(text string) bool { return row.Check != nil && row.Check(text) != "" })
}
