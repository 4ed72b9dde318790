package payer

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/sensitive"
)

const faultPattern = "It should have the form that is asked for."

// askedPrefix precedes the ids of described fields on the page, so that none is that of another field or element there.
const askedPrefix = "asked."

// pageField returns a described field as the page draws it and its values are checked.
func pageField(f connector.FormField) method.PageField {
	in := connector.DescribedInputs[f.Kind]
	in.Optional, in.Min, in.Max = !f.Required, 1, cmp.Or(f.Max, connector.MaxEntered)
	for _, o := range f.Options {
		in.Options = append(in.Options, method.Option{Value: o.Value})
	}
	return method.PageField{ID: askedPrefix + f.ID, Input: in, Place: method.InParameters}
}

// readField checks what the payer filled in. The fault is "" if it is good; the value is nil if it was left empty.
func readField(f connector.FormField, typed string) (a *payment.EnteredValue, fault string) {
	field := pageField(f)
	value := strings.TrimSpace(field.Normalize(typed))
	if f.Kind == method.FieldCheckbox && value == "false" {
		value = ""
	}
	own, _ := regexp.Compile(`\A(?:` + f.Pattern + `)\z`) // which was checked before it was stored
	drawn := regexp.MustCompile(`\A(?:` + cmp.Or(field.Pattern, ".*") + `)\z`)
	switch _, err := time.Parse(time.DateOnly, value); {
	case value == "" && f.Required:
		return nil, method.TextBlank
	case value == "":
		return nil, ""
	case !field.Offers(value, ""):
		return nil, method.TextNotChoice
	case field.Fault(value, "") != "":
		return nil, field.Fault(value, "")
	case f.Kind == method.FieldDate && err != nil:
		return nil, method.NotValid(method.RuleDate)
	case !drawn.MatchString(value), f.Pattern != "" && (own == nil || !own.MatchString(value)), sensitive.HasCard(value):
		return nil, method.NotValid(faultPattern)
	}
	secret := f.Kind == method.FieldCode || f.Kind == method.FieldPassword
	return &payment.EnteredValue{ID: f.ID, Value: value, Secret: secret}, ""
}

// describe adds to a field of the page the labels in each of its languages.
func describe(f connector.FormField, field *screen.Field) {
	field.Ordered, field.LabelTexts = true, pageLabels(f.Label)
	for i, o := range f.Options {
		field.Options[i].LabelTexts = pageLabels(o.Label)
	}
}

// pageLabels returns a label in every language that the page has: in that language, or else in English, or else in the
// first one by its tag. Nil for no label.
func pageLabels(label map[string]string) map[string]string {
	if len(label) == 0 {
		return nil
	}
	byTag := map[string]string{}
	for tag, text := range label {
		byTag[strings.ToLower(tag)] = text
	}
	rest := cmp.Or(byTag["en"], byTag[slices.Min(slices.Collect(maps.Keys(byTag)))])
	all := map[string]string{}
	for _, code := range request.Languages {
		tag := strings.ToLower(checkout.PageTag(code))
		base, _, _ := strings.Cut(tag, "-")
		all[code] = cmp.Or(byTag[tag], byTag[base], rest)
	}
	return all
}

// screenFields returns the fields of the second form of a method as the page draws them, in the connector's order.
func screenFields(a *connector.RequiredAction, req *request.Session, id string) []screen.Field {
	var shown []screen.Field
	rows := secondFormRows(a, id, req.Operation)
	for _, f := range a.Fields {
		if f.Kind != "" {
			drawn := form.ScreenFields([]method.PageField{pageField(f)}, req)
			describe(f, &drawn[0])
			shown = append(shown, drawn...)
		} else if i := slices.IndexFunc(rows, func(row method.PageField) bool { return row.ID == f.ID }); i >= 0 {
			shown = append(shown, form.ScreenFields(rows[i:i+1], req)...)
		}
	}
	return shown
}

// secondFormRows returns those fields of the second form that are parameters of a method, with the provider's options.
func secondFormRows(a *connector.RequiredAction, id string, operation method.Operation) []method.PageField {
	m, _ := method.Find(id)
	var fields []method.PageField
	for _, row := range m.SecondFields(operation) {
		i := slices.IndexFunc(a.Fields, func(f connector.FormField) bool { return f.Kind == "" && f.ID == row.ID })
		if i < 0 {
			continue
		}
		for _, option := range a.Fields[i].Options {
			row.Options = append(row.Options, method.Option{Value: option.Value})
		}
		fields = append(fields, row)
	}
	return fields
}
