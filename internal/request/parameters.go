package request

import (
	"encoding/json"
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
)

var methodsField = field[Session]{name: "methods", operations: notTransfer, read: (*Draft).methodFaults}

// readParameters reads methods and then parameters, whose required members depend on the methods.
func (d *Draft) readParameters(in Reader, r *Session) {
	d.readMethods(in)
	d.parameters = in.withBrackets()
	d.putFlat(in.object)
	r.Parameters = d.readMethodParameters()
	d.readWalletToken(r)
	d.findUnknown()
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
		item.under = ofMerchant
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
// requires are faults only if methods names it; otherwise the method is not offered (package routing).
func (d *Draft) readMethodParameters() json.RawMessage {
	var all map[string]any
	for i := range method.Methods {
		m := &method.Methods[i]
		named := slices.Contains(d.allMethods, m.ID) && m.For(d.Operation)
		if !named && !d.parameters.Has(m.ID) || !d.canUse(m) {
			continue
		}
		own, sent := d.parameters.Inside(m.ID), map[string]any{}
		var missing *Reader
		if named {
			required := own.depends(ofMerchant)
			if !slices.Contains(d.Methods, m.ID) {
				required.under = ofForeignMethod
			}
			missing = &required
		}
		for _, set := range m.Sets {
			if set.For(d.Operation) {
				own.readSet(set, missing, func(row string) bool { return d.known.HasPreset(m.ID, row) }, sent)
			}
		}
		if len(sent) > 0 && all == nil {
			all = map[string]any{}
		}
		if len(sent) > 0 {
			all[m.ID] = sent
		}
	}
	if d.decoded = all; all == nil {
		return nil
	}
	return marshalParameters(all)
}

// canUse reports whether a payment of the request can use the parameters of a method: one that can do the operation. A
// credit with a saved card always pays to that card.
func (d *Draft) canUse(m *method.Method) bool {
	toSaved := d.Operation == method.Credit && d.body.Has("card_token")
	return d.Operation == "" || m.For(d.Operation) && (m.ID == method.Card || !toSaved)
}

func marshalParameters(values any) json.RawMessage {
	text, err := json.Marshal(values)
	if err != nil {
		panic("marshal parameters: " + err.Error()) // can't happen: they are texts, booleans, maps and lists
	}
	return text
}

// JoinParameters returns a request's parameters together with those that the payer typed for a method, by their paths
// within the method. It checks all parameters of the method again. The paths of faults are paths within the method.
func JoinParameters(m method.Method, req *Session, typed map[string]string) (json.RawMessage, []fault.Fault) {
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
			in.readSet(set, nil, nil, joined)
		}
	}
	all[m.ID] = marshalParameters(joined)
	faults, _ := in.found.under(Rules{})
	return marshalParameters(all), faults
}

// WithoutParameters returns a request's parameters without those at paths within a method.
func WithoutParameters(parameters json.RawMessage, method string, paths []string) json.RawMessage {
	all := map[string]any{}
	if json.Unmarshal(parameters, &all) != nil {
		return parameters // there are none
	}
	for _, path := range paths {
		names := strings.Split(path, ".")
		inner, _ := all[method].(map[string]any)
		for _, name := range names[:len(names)-1] {
			inner, _ = inner[name].(map[string]any)
		}
		delete(inner, names[len(names)-1])
	}
	return marshalParameters(all)
}

// readSet reads one set of a method into sent. missing gets the faults of required parameters that are missing; it is
// nil if none is required. preset reports whether a value comes from elsewhere.
func (f Reader) readSet(set method.Set, missing *Reader, preset func(row string) bool, sent map[string]any) {
	if set.Extra {
		missing = nil
		if slices.ContainsFunc(set.Rows, func(row method.Param) bool { return f.Has(row.Name) }) {
			missing = &f
		}
	}
	f.readRows(set.Rows, missing, preset, sent)
	for _, rule := range set.Rules {
		if row, text := rule.Find(sent); row != "" {
			f.Fail(row, text)
		}
	}
}

// readRows reads rows into sent. missing and preset are as in readSet.
func (f Reader) readRows(rows []method.Param, missing *Reader, preset func(row string) bool, sent map[string]any) {
	for _, row := range rows {
		if beside, value := row.MayBeEmpty(); beside != "" && !f.Has(row.Name) && f.value(beside).text == value {
			sent[row.Name] = map[string]any{}
			continue
		}
		if !f.Has(row.Name) {
			if missing != nil && row.MustBeSent() && (preset == nil || !row.Preset || !preset(row.Name)) {
				missing.Fail(row.Name, method.TextBlank)
			}
			continue
		}
		switch row.Type {
		case method.TypeObject:
			members, inner := map[string]any{}, f.inObject(row)
			inner.readRows(row.Rows, &inner, nil, members)
			sent[row.Name] = members
		case method.TypeList:
			sent[row.Name] = f.list(row.Name).readItems(row.Rows)
		case method.TypeBool:
			sent[row.Name] = f.Flag(row.Name)
		default:
			if row.IsCode() && f.IsNumber(row.Name) {
				f.Fail(row.Name, method.NotValid("It should be a text: a number loses its leading zeros."))
				continue
			}
			sent[row.Name] = row.Plain(f.Text(row.Name, row.Fault))
		}
	}
}

// inObject returns a reader of a row that is an object, or a text or number that stands for one of its members.
func (f Reader) inObject(row method.Param) Reader {
	if v := f.value(row.Name); row.Short != "" && (v.kind == kindText || v.kind == kindNumber) {
		return f.at(f.join(row.Name), value{kind: kindObject, inside: &Object{members: []member{{row.Short, v}}}})
	}
	return f.Inside(row.Name)
}

func (l list) readItems(rows []method.Param) []any {
	items := []any{}
	for i := range l.items {
		members, item := map[string]any{}, l.inside(i)
		item.readRows(rows, &item, nil, members)
		items = append(items, members)
	}
	return items
}
