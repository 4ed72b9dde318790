package checkout

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/sensitive"
)

// FormField is a field of a second form. One with an id alone is a parameter of the payment's method that the page has
// a field for. Any other is described by the connector, with a kind of describedInputs, and drawn for every method.
type FormField struct {
	ID       string            `json:"id"`
	Kind     method.FieldKind  `json:"kind,omitempty"`
	Label    map[string]string `json:"label,omitempty"` // by BCP 47 tag
	Required bool              `json:"required,omitempty"`
	Pattern  string            `json:"pattern,omitempty"` // RE2, which the whole value matches
	Max      int               `json:"max,omitempty"`     // characters; 0: maxEntered
	Options  []FieldOption     `json:"options,omitempty"` // to choose from
}

// FieldOption is a value that the payer can choose. Without a label the value is shown.
type FieldOption struct {
	Value string            `json:"value"`
	Label map[string]string `json:"label,omitempty"` // by BCP 47 tag
}

// EnteredValue is what the payer filled in for a described field.
type EnteredValue struct {
	ID     string `json:"id"`
	Value  string `json:"value"`
	Secret bool   `json:"secret,omitempty"` // a code or password: masked in every text
}

// The limits of described fields.
const (
	maxFields    = 20
	maxOptions   = 50
	maxLabels    = 40  // languages
	maxLabel     = 200 // characters
	maxPattern   = 200 // bytes
	maxEntered   = 255 // characters
	kindDigits   = method.FieldKind("digits")
	faultPattern = "It should have the form that is asked for."
)

// askedPrefix precedes the ids of described fields on the page, so that none is that of another field or element there.
const askedPrefix = "asked."

// describedInputs are the kinds of described fields, as the page draws them.
var describedInputs = map[method.FieldKind]method.Input{
	method.FieldText: {Kind: method.FieldText, Autocomplete: "off"},
	kindDigits: {
		Kind: method.FieldText, Pattern: "[0-9]+", Format: method.FormatDigits, InputMode: "numeric", Autocomplete: "off",
	},
	method.FieldNumber: {
		Kind: method.FieldNumber, Pattern: `[0-9]+(\.[0-9]+)?`, InputMode: "decimal", Autocomplete: "off",
	},
	method.FieldDate:  {Kind: method.FieldDate, Pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}", Autocomplete: "off"},
	method.FieldEmail: {Kind: method.FieldEmail, Check: "email", InputMode: "email", Autocomplete: "email"},
	method.FieldPhone: {
		Kind: method.FieldPhone, Check: "phone", Format: method.FormatPhone, InputMode: "tel", Autocomplete: "tel",
	},
	method.FieldCode:     {Kind: method.FieldCode, Autocomplete: "one-time-code"},
	method.FieldPassword: {Kind: method.FieldPassword, Autocomplete: "off"},
	method.FieldSelect:   {Kind: method.FieldSelect},
	method.FieldCheckbox: {Kind: method.FieldCheckbox, Check: "agreed"},
}

var (
	describedID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)
)

// descriptionFault returns which member of a field is wrong whatever the payment, and why.
func (f FormField) descriptionFault() (member, fault string) {
	_, known := describedInputs[f.Kind]
	_, err := regexp.Compile(f.Pattern)
	chosen := f.Kind == method.FieldSelect
	switch {
	case f.Kind == "" && (len(f.Label) > 0 || f.Pattern != "" || f.Max != 0 || f.Required):
		return "kind", "is missing, although there is a description"
	case f.Kind == "":
		return "", ""
	case !known:
		return "kind", "is not one of the contract's"
	case !describedID.MatchString(f.ID):
		return "id", "has other characters than letters, digits, _ and -, or more than 64"
	case len(f.Label) == 0:
		return "label", "is missing"
	case labelFault(f.Label) != "":
		return "label", labelFault(f.Label)
	case f.Max < 0 || f.Max > maxEntered:
		return "max", fmt.Sprintf("is not within 1 and %d", maxEntered)
	case len(f.Pattern) > maxPattern || err != nil:
		return "pattern", fmt.Sprintf("is no regular expression of RE2 of at most %d bytes", maxPattern)
	case f.Pattern != "" && (chosen || f.Kind == method.FieldCheckbox):
		return "pattern", "is of no use for this kind"
	case chosen != (len(f.Options) > 0) || len(f.Options) > maxOptions:
		return "options", fmt.Sprintf("has not 1 to %d options of a select, or is of another kind", maxOptions)
	}
	if member, fault := cardFault(f.ID, f.Label); fault != "" {
		return member, fault
	}
	return f.optionsFault()
}

func (f FormField) optionsFault() (member, fault string) {
	known := map[string]bool{}
	for i, o := range f.Options {
		member := fmt.Sprintf("options[%d]", i)
		switch {
		case o.Value == "" || utf8.RuneCountInString(o.Value) > maxEntered || method.HasControl(o.Value):
			return member + ".value", fmt.Sprintf("has not 1 to %d characters that can be shown", maxEntered)
		case o.Value != strings.TrimSpace(o.Value):
			return member + ".value", "begins or ends with a space"
		case known[o.Value]:
			return member + ".value", "is that of an earlier option"
		case labelFault(o.Label) != "":
			return member + ".label", labelFault(o.Label)
		}
		known[o.Value] = true
	}
	return "", ""
}

// labelFault returns what is wrong with a label, "" if nothing is. The page shows it as text.
func labelFault(label map[string]string) string {
	if len(label) > maxLabels {
		return fmt.Sprintf("has more than %d languages", maxLabels)
	}
	for tag, text := range label {
		switch {
		case !languageTag.MatchString(tag):
			return "has a name that is no BCP 47 tag of a language"
		case strings.TrimSpace(text) == "", request.Printable(text, maxLabel) != text:
			return fmt.Sprintf("has a text without 1 to %d characters that can be shown", maxLabel)
		}
	}
	return ""
}

// pageField returns a described field as the page draws it and its values are checked.
func (f FormField) pageField() method.PageField {
	in := describedInputs[f.Kind]
	in.Optional, in.Min, in.Max = !f.Required, 1, cmp.Or(f.Max, maxEntered)
	for _, o := range f.Options {
		in.Options = append(in.Options, method.Option{Value: o.Value})
	}
	return method.PageField{ID: askedPrefix + f.ID, Input: in, Place: method.InParameters}
}

// entered checks what the payer filled in. The fault is "" if it is good; the value is nil if it was left empty.
func (f FormField) entered(typed string) (a *EnteredValue, fault string) {
	field := f.pageField()
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
	return &EnteredValue{f.ID, value, secret}, ""
}

// describe adds to a field of the page the labels in each of its languages.
func (f FormField) describe(field *screen.Field) {
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
		tag := strings.ToLower(pageTag(code))
		base, _, _ := strings.Cut(tag, "-")
		all[code] = cmp.Or(byTag[tag], byTag[base], rest)
	}
	return all
}

// pageTag returns the BCP 47 tag of a checkout_language.
func pageTag(code string) string {
	switch code {
	case "ua":
		return "uk"
	case "zho":
		return "zh-Hant"
	}
	return code
}
