package table

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"checkout/internal/settings"
)

// Place is a setting of one merchant.
type Place struct {
	Path  string // with the number of each item: mappings[0].mids[1].weight
	Row   *Row   // nil for a name that no setting has
	Value reflect.Value
}

// All returns all settings of a merchant, those of groups and items after these.
func All(m *settings.Merchant) iter.Seq[Place] {
	return func(yield func(Place) bool) { (&visit{yield: yield}).fields(reflect.ValueOf(m).Elem(), "", "") }
}

// visit goes through settings until yield returns false.
type visit struct {
	yield func(Place) bool
	ended bool
}

// fields visits the settings of an object. path is that of the object, row the same in the form of Row.Path.
func (v *visit) fields(of reflect.Value, path, row string) {
	for i := range of.NumField() {
		field := of.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			v.fields(of.Field(i), path, row)
		case field.IsExported() && name != "-":
			v.value(of.Field(i), join(path, name), join(row, name))
		}
	}
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func (v *visit) value(of reflect.Value, path, row string) {
	if v.ended = v.ended || !v.yield(Place{path, Find(row), of}); v.ended {
		return
	}
	if of.Kind() == reflect.Pointer && !of.IsNil() {
		of = of.Elem()
	}
	switch {
	case of.Type() == reflect.TypeFor[time.Time]():
	case of.Kind() == reflect.Struct:
		v.fields(of, path, row)
	case of.Kind() == reflect.Slice && of.Type().Elem().Kind() == reflect.Struct:
		for i := range of.Len() {
			v.fields(of.Index(i), fmt.Sprintf("%s[%d]", path, i), row+"[]")
		}
	case of.Kind() == reflect.Map && of.Type().Elem().Kind() == reflect.Map && Find(row).Kind == Map:
		for _, name := range names(of) {
			v.value(of.MapIndex(reflect.ValueOf(name)), path+"."+name, row+"{}")
		}
	case of.Type() == reflect.TypeFor[settings.Compatibility]():
		for _, name := range names(of) {
			v.value(of.MapIndex(reflect.ValueOf(name)), path+"."+name, row+"."+name)
		}
	}
}

// names returns the names in a map, sorted.
func names(of reflect.Value) []string {
	all := map[string]bool{}
	for _, key := range of.MapKeys() {
		all[key.String()] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// Names returns the names in a map, sorted. Its value is that of a Map.
func (p Place) Names() []string { return names(p.Value) }
