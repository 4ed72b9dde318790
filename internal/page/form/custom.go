package form

import (
	"cmp"
	"slices"

	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// fieldsOf returns the fields that the page may have to show. Those that only the custom form names as optional are so.
func fieldsOf(r routing.Route, m method.Method, req *request.Session) []method.PageField {
	if !needsName(r, m, req) {
		m = m.WithoutName()
	}
	fields := m.PageFields(req.Operation, slices.Concat(r.Required, r.Form.OptionalFields))
	required := m.PageFields(req.Operation, r.Required)
	for i, f := range fields {
		if !slices.ContainsFunc(required, func(o method.PageField) bool { return o.ID == f.ID }) {
			fields[i].Optional = true
		}
	}
	return fields
}

// needsName reports whether somebody needs the name on the card: the provider of a wallet's brand, that of a MID, the
// sender's bank of a transfer, or who pays out to the card when it is saved. A mapping or form may require it, too.
func needsName(r routing.Route, m method.Method, req *request.Session) bool {
	return m.Family != method.FamilyCard || req.Operation == method.Transfer || req.ReqToken || r.NeedsCardName(m.ID)
}

// nameToAsk returns what the page fills in as the name on the card where it asks for one although the shop sent a name:
// one as payers typed it, which the page itself would not take. unusual means that it is the whole name in one word.
func nameToAsk(r routing.Route, sent string) (name string, unusual bool) {
	if sent == "" || method.IsOnCard(sent) || r.Mapping.RequestRules().Name != request.NameOff {
		return "", false
	}
	return method.FitOnCard(sent)
}

// customFields are the fields as the page draws them on a custom form: in its order, with its labels.
func customFields(f settings.Form, fields []method.PageField, req *request.Session) []screen.Field {
	shown := ScreenFields(fields, req)
	place := func(id string) int {
		row, _ := method.FindPageField(id)
		id = cmp.Or(row.With, id)
		if i := slices.Index(f.Order, id); i >= 0 {
			return i
		}
		return len(f.Order)
	}
	slices.SortStableFunc(shown, func(a, b screen.Field) int { return place(a.ID) - place(b.ID) })
	for i, field := range shown {
		shown[i].Ordered = place(field.ID) < len(f.Order)
		shown[i].LabelTexts = f.Labels[field.ID]
	}
	return shown
}
