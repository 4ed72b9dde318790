package demo

import (
	"strconv"
	"strings"
)

// literals is how a programming language writes JSON values.
type literals struct {
	object, list  [2]string // what stands before and after the members
	is            string    // between a name and its value
	join          string    // between parts of a text
	null, yes, no string
	indent        string
	last          string // behind the last member
	quote         func(string) string
	slots         map[string]string // the expressions that stand for placeholders
}

// write returns the expression of a value. Lines after the first one begin with margin.
func (l literals) write(t tree, margin string) string {
	switch value := t.scalar.(type) {
	case string:
		return l.text(value)
	case bool:
		if value {
			return l.yes
		}
		return l.no
	case nil:
		if t.open == 0 {
			return l.null
		}
	default:
		return t.text() // a number
	}
	around := l.object
	if t.open == '[' {
		around = l.list
	}
	if len(t.inside) == 0 {
		return around[0] + around[1]
	}
	var members []string
	for i, below := range t.inside {
		member := margin + l.indent
		if t.open == '{' {
			member += l.quote(t.names[i]) + l.is
		}
		members = append(members, member+l.write(below, margin+l.indent))
	}
	return around[0] + "\n" + strings.Join(members, ",\n") + l.last + "\n" + margin + around[1]
}

// text returns the expression of a text. A placeholder in it becomes an expression of its own.
func (l literals) text(value string) string {
	var parts []string
	for value != "" {
		at, slot := len(value), ""
		for name := range l.slots {
			if i := strings.Index(value, name); i >= 0 && i < at {
				at, slot = i, name
			}
		}
		if at > 0 {
			parts = append(parts, l.quote(value[:at]))
		}
		if slot != "" {
			parts = append(parts, l.slots[slot])
		}
		value = value[at+len(slot):]
	}
	if len(parts) == 0 {
		return l.quote("")
	}
	return strings.Join(parts, l.join)
}

var pythonLiterals = literals{
	object: [2]string{"{", "}"}, list: [2]string{"[", "]"}, is: ": ", join: " + ",
	null: "None", yes: "True", no: "False", indent: "    ", last: ",",
	quote: func(text string) string { return string(plainJSON(text)) },
	slots: map[string]string{keySlot: `variable("CHECKOUT_KEY")`, orderSlot: "number"},
}

var javaScriptLiterals = literals{
	object: [2]string{"{", "}"}, list: [2]string{"[", "]"}, is: ": ", join: " + ",
	null: "null", yes: "true", no: "false", indent: "  ", last: ",",
	quote: func(text string) string { return string(plainJSON(text)) },
	slots: map[string]string{keySlot: `variable("CHECKOUT_KEY")`, orderSlot: "number"},
}

var phpLiterals = literals{
	object: [2]string{"[", "]"}, list: [2]string{"[", "]"}, is: " => ", join: " . ",
	null: "null", yes: "true", no: "false", indent: "    ", last: ",",
	quote: func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'" },
	slots: map[string]string{keySlot: "variable('CHECKOUT_KEY')", orderSlot: "$number"},
}

var goLiterals = literals{
	object: [2]string{"map[string]any{", "}"}, list: [2]string{"[]any{", "}"}, is: ": ", join: " + ",
	null: "nil", yes: "true", no: "false", indent: "\t", last: ",",
	quote: strconv.Quote,
	slots: map[string]string{keySlot: `variable("CHECKOUT_KEY")`, orderSlot: "number"},
}

var shellLiterals = literals{
	join: "", quote: quote,
	slots: map[string]string{orderSlot: `"$number"`, keySlot: `"$CHECKOUT_KEY"`},
}
