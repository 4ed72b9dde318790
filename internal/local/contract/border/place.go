package border

import (
	"maps"
	"slices"
	"strconv"
)

// gone takes the place of a member that is left out.
type gone struct{}

// get returns what a body has at a place, nil if it has nothing there.
func get(body any, place []string) any {
	for _, name := range place {
		switch of := body.(type) {
		case map[string]any:
			body = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return nil
			}
			body = of[i]
		default:
			return nil
		}
	}
	return body
}

// set returns a body with another value at a place, whose surroundings it has.
func set(body any, place []string, value any) any {
	if len(place) == 0 {
		return value
	}
	switch of := body.(type) {
	case []any:
		i, err := strconv.Atoi(place[0])
		if err != nil {
			return body
		}
		items := slices.Clone(of)
		for len(items) <= i {
			items = append(items, nil)
		}
		items[i] = set(items[i], place[1:], value)
		return items
	default:
		object, _ := body.(map[string]any)
		object = maps.Clone(object)
		if object == nil {
			object = map[string]any{}
		}
		if _, leave := value.(gone); leave && len(place) == 1 {
			delete(object, place[0])
		} else {
			object[place[0]] = set(object[place[0]], place[1:], value)
		}
		return object
	}
}
