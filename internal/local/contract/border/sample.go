package border

import (
	"fmt"
	"regexp"
	"strings"
)

// sized returns a text like another of a number of characters, of the schema's pattern if there is a way.
func (d *Document) sized(option, text string, n int) string {
	if n < 0 {
		return ""
	}
	pattern, _ := d.schema(option)["pattern"].(string)
	form := d.form(pattern)
	letters := []rune(text)
	if n <= len(letters) {
		return string(letters[:n])
	}
	last := ""
	for _, fill := range append([]string{"a", "1", "A"}, text) {
		if fill == "" {
			continue
		}
		more := string([]rune(strings.Repeat(fill, n))[:n-len(letters)])
		for _, at := range []int{len(letters), len(letters) / 2, min(1, len(letters))} {
			last = string(letters[:at]) + more + string(letters[at:])
			if form.MatchString(last) {
				return last
			}
		}
	}
	return last
}

// sample returns a value that a schema accepts, as far as one is easily found.
func (d *Document) sample(pointer string) any {
	if found, ok := d.samples[pointer]; ok {
		return found
	}
	d.samples[pointer] = nil
	for _, option := range d.options(pointer) {
		for _, guess := range d.guesses(option) {
			if d.samples[pointer] == nil && len(d.check(pointer, guess)) == 0 {
				d.samples[pointer] = guess
			}
		}
	}
	return d.samples[pointer]
}

// form returns a compiled pattern.
func (d *Document) form(pattern string) *regexp.Regexp {
	if d.forms[pattern] == nil {
		d.forms[pattern] = regexp.MustCompile(pattern)
	}
	return d.forms[pattern]
}

// check is Broken, but what it breaks does not count as tried.
func (d *Document) check(pointer string, value any) []string {
	other := *d
	other.tried = map[string]bool{}
	return other.Broken(pointer, value)
}

func (d *Document) guesses(option string) (all []any) {
	schema := d.schema(option)
	all = append(all, list(schema["examples"])...)
	all = append(all, list(schema["enum"])...)
	if schema["const"] != nil {
		all = append(all, schema["const"])
	}
	switch schema["type"] {
	case "object":
		object := map[string]any{}
		for _, name := range texts(list(schema["required"])) {
			object[name] = d.sample(option + Pointer("properties", name))
		}
		all = append(all, object)
		if _, ok := schema["additionalProperties"].(map[string]any); ok {
			all = append(all, map[string]any{d.nameFor(schema, 0): d.sample(option + "/additionalProperties")})
		}
	case "array":
		all = append(all, []any{}, []any{d.sample(option + "/items")})
	case "integer", "number":
		least, _ := schema["minimum"].(int)
		all = append(all, max(least, 1), least)
	case "boolean":
		all = append(all, true)
	case nil, "string":
		least, _ := schema["minLength"].(int)
		for _, text := range []string{
			"a", "1", "A", "AA", "aa", "01", "2030-01-02", "2030-01-02T03:04:05Z", "https://shop.example/a", "AQID",
			"jane@shop.example", "+49", "12/30", "4111111111111111",
		} {
			all = append(all, text, d.sized(option, text, max(least, len(text))))
		}
	}
	return all
}

// nameFor returns the i-th name of a member that an object with other members may have.
func (d *Document) nameFor(schema map[string]any, i int) string {
	names, _ := schema["propertyNames"].(map[string]any)
	pattern, _ := names["pattern"].(string)
	number, word := fmt.Sprint(i), string(rune('a'+i/26%26))+string(rune('a'+i%26))
	if d.form(pattern).MatchString(number) {
		return number
	}
	return word
}
