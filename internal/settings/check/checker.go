package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/settings/table"
)

// checker collects the faults of the settings below one path of a merchant.
type checker struct {
	path       string
	faults     *[]fault.Fault
	connectors settings.Declarations
	stored     map[string]bool // the paths of secrets that are stored
	now        time.Time

	local bool
}

// Texts for operators.
const (
	textTwice    = "This value is used twice."
	textNegative = "This value should be 0 or more."
	textSandbox  = "The sandbox moves no money. Payments with the test key go to it whatever connector is named here."
)

func (c checker) at(name string, index ...int) checker {
	if c.path != "" {
		name = c.path + "." + name
	}
	for _, i := range index {
		name += fmt.Sprintf("[%d]", i)
	}
	c.path = name
	return c
}

func (c checker) fail(text string) {
	*c.faults = append(*c.faults, fault.Of(c.path, text))
}

func (c checker) failIf(bad bool, text string) {
	if bad {
		c.fail(text)
	}
}

// lacks reports whether a secret is neither set nor stored.
func (c checker) lacks(text string) bool { return text == "" && !c.stored[c.path] }

// text checks a text that may be absent.
func (c checker) text(text string, find request.Check) {
	if text == "" || find == nil {
		return
	}
	if fault := find(text); fault != "" {
		c.fail(fault)
	}
}

func (c checker) required(text string, find request.Check) {
	c.failIf(strings.TrimSpace(text) == "", method.TextBlank)
	c.text(text, find)
}

// place checks one setting by its row.
func (c checker) place(p table.Place) {
	c.path = p.Path
	row, value := p.Row, p.Value
	if row == nil { // a switch of Compatibility that there is not
		c.fail(method.TextNotChoice)
		return
	}
	check := row.Check
	if check == nil && len(row.Choices) > 0 {
		check = request.OneOf(row.Choices...)
	}
	switch {
	case row.Kind == table.Credentials || row.Kind == table.Presets || row.Set:
		// rules of their own
	case value.Kind() == reflect.String && row.Required && (!row.Secret || c.lacks(value.String())):
		c.required(value.String(), check)
	case value.Kind() == reflect.String:
		c.text(value.String(), check)
	case value.Kind() == reflect.Int:
		c.number(int(value.Int()), row)
	case row.Kind == table.Items:
		c.items(value, row)
	case value.Kind() == reflect.Slice:
		c.list(value, row, check)
	case row.Kind == table.Map:
		c.entries(p, check)
	}
}

// number checks that a number is between 0 and the most, and not 0 if it is required.
func (c checker) number(n int, row *table.Row) {
	c.failIf(row.Required && n == 0, "This value should be 1 or more.")
	c.failIf(n < 0, textNegative)
	c.failIf(n > row.Most, fmt.Sprintf("This value should be %d or less.", row.Most))
}

// list checks every text of a list, and that no two are the same.
func (c checker) list(value reflect.Value, row *table.Row, check request.Check) {
	c.failIf(row.Required && value.Len() == 0, method.TextBlank)
	var before []string
	for i := range value.Len() {
		text, at := value.Index(i).String(), c
		at.path = fmt.Sprintf("%s[%d]", c.path, i)
		at.required(text, check)
		at.failIf(slices.Contains(before, text), textTwice)
		before = append(before, text)
	}
}

// items checks that no two items of a list are known by the same name.
func (c checker) items(value reflect.Value, row *table.Row) {
	if row.Key == "" {
		return
	}
	known := map[string]bool{}
	for i := range value.Len() {
		name := member(value.Index(i), row.Key)
		if row.NoCase {
			name = strings.ToLower(name)
		}
		at := c
		at.path = fmt.Sprintf("%s[%d].%s", c.path, i, row.Key)
		at.failIf(known[name], textTwice)
		known[name] = true
	}
}

// member returns the text of an object's member.
func member(of reflect.Value, name string) string {
	field, _ := of.Type().FieldByNameFunc(func(field string) bool {
		f, _ := of.Type().FieldByName(field)
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return json == name
	})
	return of.FieldByIndex(field.Index).String()
}

// entries checks the names of a map, and its texts if these are not maps.
func (c checker) entries(p table.Place, check request.Check) {
	for _, name := range p.Names() {
		at := c.at(name)
		if p.Row.Keys != nil {
			at.required(name, p.Row.Keys)
		}
		if text := p.Value.MapIndex(reflect.ValueOf(name)); text.Kind() == reflect.String {
			at.required(text.String(), check)
		}
	}
}
