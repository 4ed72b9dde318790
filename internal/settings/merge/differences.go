package merge

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Difference is one place in which a JSON object is other than another one. What one of them lacks is nil.
type Difference struct {
	Path   string // with the id or name of each item: mappings[default].mids[card].weight
	Within string // the same with [] for each item: mappings[].mids[].weight
	Before any
	After  any

	Order []string // ids of a list's items, whose order alone is other
}

// Differences returns what is other in one JSON object than in another, in the order of places.
func Differences(before, after []byte) ([]Difference, error) {
	a, err := Read(before)
	if err != nil {
		return nil, err
	}
	b, err := Read(after)
	if err != nil {
		return nil, err
	}
	return place{}.differ(a, b), nil
}

// place is a place in an object.
type place struct{ path, within string }

func (p place) member(name string) place {
	return place{strings.TrimPrefix(p.path+"."+name, "."), strings.TrimPrefix(p.within+"."+name, ".")}
}

func (p place) item(id string) place { return place{p.path + "[" + id + "]", p.within + "[]"} }

func (p place) differ(before, after any) []Difference {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	a, aIs := before.(object)
	b, bIs := after.(object)
	listA, listAIs := before.([]any)
	listB, listBIs := after.([]any)
	switch {
	case aIs && bIs:
		return differIn(a, b, p.member)
	case !listAIs || !listBIs:
	case keyOf(listA, shownKeys) != "" && keyOf(listB, shownKeys) == keyOf(listA, shownKeys):
		return p.differInList(listA, listB)
	case len(listA) == len(listB) && areObjects(listA) && areObjects(listB):
		return p.differByNumber(listA, listB)
	}
	return []Difference{{Path: p.path, Within: p.within, Before: before, After: after}}
}

// differInList compares two lists whose items are known by the same member.
func (p place) differInList(before, after []any) []Difference {
	idsA, a := byID(before)
	idsB, b := byID(after)
	all := differIn(a, b, p.item)
	kept := func(ids []string, in object) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return in[id] == nil })
	}
	if !slices.Equal(kept(idsA, b), kept(idsB, a)) {
		all = append(all, Difference{Path: p.path, Within: p.within, Order: idsB})
	}
	return all
}

// differByNumber compares two lists of as many objects that nothing names.
func (p place) differByNumber(before, after []any) (all []Difference) {
	for i := range before {
		all = append(all, p.item(strconv.Itoa(i)).differ(before[i], after[i])...)
	}
	return all
}

func areObjects(list []any) bool {
	return !slices.ContainsFunc(list, func(value any) bool { _, is := value.(object); return !is })
}

// shownKeys are the members by which items are known in a difference: beside itemKeys the currency of a limit, whose
// list a file replaces.
var shownKeys = append(itemKeys[:2:2], "currency")

func differIn(before, after object, at func(name string) place) (all []Difference) {
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		all = append(all, at(name).differ(before[name], after[name])...)
	}
	return all
}

// byID returns the items of a list by what they are known by, and that in their order.
func byID(list []any) (ids []string, all object) {
	key, all := keyOf(list, shownKeys), object{}
	for _, value := range list {
		ids = append(ids, textOf(value, key))
		all[textOf(value, key)] = value
	}
	return ids, all
}
