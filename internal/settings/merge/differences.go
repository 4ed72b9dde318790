package merge

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Differences returns what is other in one JSON object than in another, a line for each place, in the order of places.
func Differences(before, after []byte) ([]string, error) {
	a, err := Read(before)
	if err != nil {
		return nil, err
	}
	b, err := Read(after)
	if err != nil {
		return nil, err
	}
	return differ(a, b, ""), nil
}

func differ(before, after any, path string) (lines []string) {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	say := func(format string, values ...any) []string {
		return []string{path + ": " + fmt.Sprintf(format, values...)}
	}
	a, aIs := before.(object)
	b, bIs := after.(object)
	listA, listAIs := before.([]any)
	listB, listBIs := after.([]any)
	switch {
	case aIs && bIs:
		return differIn(a, b, func(name string) string { return strings.TrimPrefix(path+"."+name, ".") })
	case listAIs && listBIs && keyOf(listA) != "" && keyOf(listB) == keyOf(listA):
		idsA, a := byID(listA)
		idsB, b := byID(listB)
		lines = differIn(a, b, func(id string) string { return path + "[" + id + "]" })
		kept := func(ids []string, in object) []string {
			return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return in[id] == nil })
		}
		if !slices.Equal(kept(idsA, b), kept(idsB, a)) {
			lines = append(lines, path+": the order becomes "+strings.Join(idsB, ", "))
		}
		return lines
	case before == nil:
		return say("is new, %s", text(after))
	case after == nil:
		return say("goes, it was %s", text(before))
	}
	return say("%s becomes %s", text(before), text(after))
}

func differIn(before, after object, path func(name string) string) (lines []string) {
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, differ(before[name], after[name], path(name))...)
	}
	return lines
}

// byID returns the items of a list by what they are known by, and that in their order.
func byID(list []any) (ids []string, all object) {
	key, all := keyOf(list), object{}
	for _, value := range list {
		ids = append(ids, textOf(value, key))
		all[textOf(value, key)] = value
	}
	return ids, all
}

// maxText is how many characters of a value are shown.
const maxText = 200

func text(value any) string {
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
