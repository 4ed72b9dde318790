package request

import (
	"encoding/json"
	"slices"
	"strings"

	"checkout/internal/method"
)

// orderDetail are the objects of set C6, which the bracket notation names without the method (methods.md, C6).
var orderDetail = []string{"shipping", "cart", "marketPlace"}

// ReadParameters reads parameters: the rows that each method's sets have, as texts and booleans, and
// nothing else, so that what a client sends by mistake is never kept. What a method requires has to be
// there if methods names it; where it does not, the method is left out instead (route.go).
func ReadParameters(in Reader, operation string, methods []string) json.RawMessage {
	parameters := in.parameters()
	all := map[string]any{}
	for _, m := range method.Methods {
		own, sent := parameters.Inside(m.ID), map[string]any{}
		for _, set := range m.Sets {
			if set.For(operation) {
				own.readSet(set, slices.Contains(methods, m.ID) && m.For(operation), sent)
			}
		}
		if len(sent) > 0 {
			all[m.ID] = sent
		}
	}
	if len(all) == 0 {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("marshal parameters: " + err.Error()) // can't be: texts, booleans, maps and lists
	}
	return text
}

// parameters reads the object of that name, with what stands beside it in bracket notation.
func (f Reader) parameters() Reader {
	in := f.Inside("parameters")
	in.object = putBrackets(f.object, in.object)
	return in
}

// readSet reads one set of a method into sent. named says whether the request names the method.
func (f Reader) readSet(set method.Set, named bool, sent map[string]any) {
	begun := slices.ContainsFunc(set.Rows, func(row method.Param) bool { return f.Has(row.Name) })
	f.readRows(set.Rows, set.Extra && begun || !set.Extra && named, sent)
	for _, rule := range set.Rules {
		if row, text := rule.Find(sent); row != "" {
			f.Fail(row, text)
		}
	}
}

// readRows reads rows into sent. need says whether required rows are required here.
func (f Reader) readRows(rows []method.Param, need bool, sent map[string]any) {
	for _, row := range rows {
		if !f.Has(row.Name) {
			if need && row.Need == method.Required {
				f.Fail(row.Name, method.TextBlank)
			}
			continue
		}
		switch row.Type {
		case method.TypeObject:
			members := map[string]any{}
			f.Inside(row.Name).readRows(row.Rows, true, members)
			sent[row.Name] = members
		case method.TypeList:
			sent[row.Name] = f.List(row.Name).readItems(row.Rows)
		case method.TypeBool:
			sent[row.Name] = f.Flag(row.Name)
		default:
			sent[row.Name] = f.Text(row.Name, row.Fault)
		}
	}
}

func (f Reader) readItems(rows []method.Param) []any {
	items := []any{}
	for _, name := range f.Names() {
		members := map[string]any{}
		f.Inside(name).readRows(rows, true, members)
		items = append(items, members)
	}
	return items
}

// putBrackets puts every member of parameters that was sent in bracket notation where it belongs
// (decisions.md 10), and answers parameters. Such names are read in the body
// (parameters[card][cart][items][0][name]), in parameters (card[shipping][city]) and in
// parameters.card (shipping[city]), with or without the leading parameters and card. What is nested
// already wins.
func putBrackets(body, parameters *Object) *Object {
	found := bracketed(body, "parameters")
	if parameters != nil {
		card, _ := parameters.Values[method.Card].(*Object)
		found = slices.Concat(found, bracketed(parameters, ""), bracketed(card, ""))
	}
	if len(found) > 0 && parameters == nil {
		parameters = newObject()
	}
	for _, b := range found {
		path := b.path
		if path[0] == "parameters" {
			path = path[1:]
		}
		if slices.Contains(orderDetail, path[0]) {
			path = append([]string{method.Card}, path...)
		}
		parameters.put(path, b.value)
	}
	return parameters
}

// bracket is a member whose name is in bracket notation.
type bracket struct {
	path  []string // two names or more
	value any
}

// bracketed finds the members of o in bracket notation, those that begin with first if that is given.
func bracketed(o *Object, first string) []bracket {
	if o == nil {
		return nil
	}
	var found []bracket
	for _, name := range o.Names {
		head, rest, ok := strings.Cut(name, "[")
		rest, closed := strings.CutSuffix(rest, "]")
		if !ok || !closed || head == "" || first != "" && head != first {
			continue
		}
		path := append([]string{head}, strings.Split(rest, "][")...)
		if len(path) <= maxDepth && !slices.Contains(path, "") {
			found = append(found, bracket{path, o.Values[name]})
		}
	}
	return found
}

// put sets the value at a path, unless there is one or something on the way is no object.
func (o *Object) put(path []string, value any) {
	last := len(path) - 1
	for _, name := range path[:last] {
		o.add(name, newObject())
		inner, ok := o.Values[name].(*Object)
		if !ok {
			return
		}
		o = inner
	}
	o.add(path[last], value)
}
