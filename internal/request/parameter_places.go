package request

import (
	"slices"
	"strings"

	"checkout/internal/method"
)

// withBrackets returns the object parameters, together with members in bracket notation.
func (f Reader) withBrackets() Reader {
	in := f.Inside("parameters")
	in.object = putBrackets(f.object, in.object)
	return in
}

// putFlat moves values that stand directly in parameters, or at the top level of the request, to the methods whose rows
// they are (protocol.md, Parameters): to those that methods names, or to all.
func (d *Draft) putFlat(body *Object) {
	for i := range method.Methods {
		m := &method.Methods[i]
		if len(d.allMethods) > 0 && !slices.Contains(d.allMethods, m.ID) || !m.For(d.Operation) {
			continue
		}
		for _, row := range m.FlatRows() {
			v := d.parameters.object.get(row.Name).present()
			if v.kind == kindNull && row.Top {
				v = body.get(row.Name).present()
			}
			if v.kind == kindNull {
				continue
			}
			if d.parameters.object == nil {
				d.parameters.object = &Object{}
			}
			d.parameters.object.add(m.ID, value{kind: kindObject, inside: &Object{}})
			if own := d.parameters.object.get(m.ID); own.kind == kindObject {
				own.inside.set(row.Name, v)
			}
		}
	}
}

// putBrackets adds every member in bracket notation to parameters, at its place (protocol.md, Parameters), and returns
// parameters. Such members are searched in the body (parameters[card][cart][items][0][name]), in parameters
// (card[shipping][city]) and, for sets that may be named without the method, in the method's object (shipping[city]),
// with or without the leading parameters and method. A value that is already there is not replaced.
func putBrackets(body, parameters *Object) *Object {
	found := bracketed(body, "parameters")
	if parameters != nil {
		found = slices.Concat(found, bracketed(parameters, ""))
		for i := range method.Methods {
			if own := parameters.get(method.Methods[i].ID); own.kind == kindObject && method.Methods[i].Bare("") {
				found = append(found, bracketed(own.inside, "")...)
			}
		}
	}
	for i := range method.Methods {
		found = append(found, bareObjects(&method.Methods[i], parameters)...)
	}
	if len(found) > 0 && parameters == nil {
		parameters = &Object{}
	}
	for _, b := range found {
		path := b.path
		if path[0] == "parameters" {
			path = path[1:]
		}
		if i := slices.IndexFunc(method.Methods, func(m method.Method) bool { return m.Bare(path[0]) }); i >= 0 {
			path = append([]string{method.Methods[i].ID}, path...)
		}
		parameters.put(path, b.value)
	}
	return parameters
}

// bracket is a member whose name is in bracket notation.
type bracket struct {
	path  []string
	value value
}

// bareObjects returns the values inside the rows of a method that stand directly in parameters (parameters.shipping).
func bareObjects(m *method.Method, parameters *Object) (found []bracket) {
	for _, set := range m.Sets {
		for i := range set.Rows {
			name := set.Rows[i].Name
			row := parameters.get(name)
			if !set.Bare || row.kind == kindNull {
				continue
			}
			if row.kind != kindObject {
				found = append(found, bracket{[]string{name}, row})
				continue
			}
			for _, in := range row.inside.members {
				found = append(found, bracket{[]string{name, in.name}, in.value})
			}
		}
	}
	return found
}

// bracketed returns the members of o in bracket notation, if first is not "" those that begin with it.
func bracketed(o *Object, first string) []bracket {
	if o == nil {
		return nil
	}
	var found []bracket
	for _, m := range o.members {
		head, rest, ok := strings.Cut(m.name, "[")
		rest, closed := strings.CutSuffix(rest, "]")
		if !ok || !closed || head == "" || first != "" && head != first {
			continue
		}
		path := append([]string{head}, strings.Split(rest, "][")...)
		if len(path) <= maxDepth && !slices.Contains(path, "") {
			found = append(found, bracket{path, m.value})
		}
	}
	return found
}

// put sets the value at a path, unless there is one already, or a value on the path is not an object.
func (o *Object) put(path []string, v value) {
	last := len(path) - 1
	for _, name := range path[:last] {
		o.add(name, value{kind: kindObject, inside: &Object{}})
		inner := o.get(name)
		if inner.kind != kindObject {
			return
		}
		o = inner.inside
	}
	o.add(path[last], v)
}

// set replaces a member's value, or appends the member.
func (o *Object) set(name string, v value) {
	if i := o.find(name); i >= 0 {
		o.members[i].value = v
		return
	}
	o.add(name, v)
}
