package request

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"checkout/internal/method"
)

var methodsField = field[Session]{name: "methods", operations: notTransfer, read: (*Draft).methodFaults}

// readParameters reads methods and then parameters, whose required members depend on the methods.
func (d *Draft) readParameters(in Reader, r *Session) {
	d.readMethods(in)
	d.parameters = in.withBrackets()
	r.Parameters = d.readMethodParameters()
}

// readMethods reads the ids of known methods, also repeated ones, so that their indices are those of the request.
// Methods that the merchant does not have may be left out, as long as it has one of them.
func (d *Draft) readMethods(in Reader) {
	if !methodsField.applies(d.Operation) {
		return
	}
	in.found = &d.methodFound
	sent := in.list("methods")
	own := func(v value) bool {
		id, _ := v.plain()
		return isMethod(id) == "" && d.known.HasMethod(id)
	}
	some := slices.ContainsFunc(sent.items, own)
	for i, v := range sent.items {
		item := sent
		if some && !own(v) {
			item.depends(notOwnMethod).fail(item.itemPath(i), method.TextNotChoice)
			item.under = ofForeignMethod
		}
		if id := item.required(i, isMethod); id != "" {
			d.allMethods = append(d.allMethods, id)
		}
	}
	d.Methods = d.allMethods
	if some && slices.ContainsFunc(d.allMethods, func(id string) bool { return !d.known.HasMethod(id) }) {
		d.Methods = slices.DeleteFunc(slices.Clone(d.allMethods), func(id string) bool { return !d.known.HasMethod(id) })
	}
}

// methodFaults adds the faults that readMethods found, at the place of methods in the order of faults.
func (d *Draft) methodFaults(Reader, *Session) { d.found.add(d.methodFound.all...) }

// readMethodParameters returns the parameters of the methods: the rows of each method's sets, as texts and booleans,
// and nothing else, so that data that a client sends by mistake is never stored. Missing parameters that a method
// requires are faults only if methods names it; otherwise the method is not offered (merchant's evaluate.go).
func (d *Draft) readMethodParameters() json.RawMessage {
	var all map[string]any
	for i := range method.Methods {
		m := &method.Methods[i]
		named := slices.Contains(d.allMethods, m.ID) && m.For(d.Operation)
		if !named && !d.parameters.Has(m.ID) {
			continue
		}
		own, sent := d.parameters.Inside(m.ID), map[string]any{}
		var missing *Reader
		if named {
			missing = &own
		}
		if named && !slices.Contains(d.Methods, m.ID) {
			foreign := own.depends(ofForeignMethod)
			missing = &foreign
		}
		for _, set := range m.Sets {
			if set.For(d.Operation) {
				own.readSet(set, missing, sent)
			}
		}
		if len(sent) > 0 && all == nil {
			all = map[string]any{}
		}
		if len(sent) > 0 {
			all[m.ID] = sent
		}
	}
	if all == nil {
		return nil
	}
	return marshalParameters(all)
}

func marshalParameters(values any) json.RawMessage {
	text, err := json.Marshal(values)
	if err != nil {
		panic("marshal parameters: " + err.Error()) // can't happen: they are texts, booleans, maps and lists
	}
	return text
}

// withBrackets returns the object parameters, together with members in bracket notation.
func (f Reader) withBrackets() Reader {
	in := f.Inside("parameters")
	in.object = putBrackets(f.object, in.object)
	return in
}

// SentParameter returns the text of a method's parameter, by its path within the method, "" if it was not sent.
func SentParameter(parameters json.RawMessage, id, path string) string {
	var value any
	if parameters == nil || json.Unmarshal(parameters, &value) != nil {
		return ""
	}
	for _, name := range append([]string{id}, strings.Split(path, ".")...) {
		members, _ := value.(map[string]any)
		if value = members[name]; value == nil {
			return ""
		}
	}
	return fmt.Sprint(value)
}

// JoinParameters returns a request's parameters together with those that the payer typed for a method, by their paths
// within the method. It checks all parameters of the method again. The paths of faults are paths within the method.
func JoinParameters(m method.Method, req *Session, typed map[string]string) (json.RawMessage, []Fault) {
	all, own := map[string]json.RawMessage{}, &Object{}
	if req.Parameters != nil {
		if err := json.Unmarshal(req.Parameters, &all); err != nil {
			panic("stored parameters: " + err.Error()) // can't happen: marshalParameters wrote them
		}
	}
	if sent, err := ReadObject(all[m.ID]); err == nil {
		own = sent
	}
	for path, text := range typed {
		own.put(strings.Split(path, "."), value{kind: kindText, text: text})
	}
	in, joined := Reader{object: own, found: &findings{}}, map[string]any{}
	for _, set := range m.Sets {
		if set.For(req.Operation) {
			in.readSet(set, nil, joined)
		}
	}
	all[m.ID] = marshalParameters(joined)
	faults, _ := in.found.under(Rules{})
	return marshalParameters(all), faults
}

// readSet reads one set of a method into sent. missing gets the faults of required parameters that are missing; it is
// nil if none is required.
func (f Reader) readSet(set method.Set, missing *Reader, sent map[string]any) {
	if set.Extra {
		missing = nil
		if slices.ContainsFunc(set.Rows, func(row method.Param) bool { return f.Has(row.Name) }) {
			missing = &f
		}
	}
	f.readRows(set.Rows, missing, sent)
	for _, rule := range set.Rules {
		if row, text := rule.Find(sent); row != "" {
			f.Fail(row, text)
		}
	}
}

// readRows reads rows into sent. missing is as in readSet.
func (f Reader) readRows(rows []method.Param, missing *Reader, sent map[string]any) {
	for _, row := range rows {
		if !f.Has(row.Name) {
			if missing != nil && row.MustBeSent() {
				missing.Fail(row.Name, method.TextBlank)
			}
			continue
		}
		switch row.Type {
		case method.TypeObject:
			members, inner := map[string]any{}, f.Inside(row.Name)
			inner.readRows(row.Rows, &inner, members)
			sent[row.Name] = members
		case method.TypeList:
			sent[row.Name] = f.list(row.Name).readItems(row.Rows)
		case method.TypeBool:
			sent[row.Name] = f.Flag(row.Name)
		default:
			sent[row.Name] = row.Plain(f.Text(row.Name, row.Fault))
		}
	}
}

func (l list) readItems(rows []method.Param) []any {
	items := []any{}
	for i := range l.items {
		members, item := map[string]any{}, l.inside(i)
		item.readRows(rows, &item, members)
		items = append(items, members)
	}
	return items
}

// putBrackets adds every member in bracket notation to parameters, at its place (decisions.md 10), and returns
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
	path  []string // two names or more
	value value
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
