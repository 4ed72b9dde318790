package connector

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"checkout/internal/fault"
	"checkout/internal/method"
)

// FormField is a field of a second form. One with an id alone is a parameter of the payment's method that the page has
// a field for. Any other is described by the connector, with a kind of DescribedInputs, and drawn for every method.
type FormField struct {
	ID       string            `json:"id"`
	Kind     method.FieldKind  `json:"kind,omitempty"`
	Label    map[string]string `json:"label,omitempty"` // by BCP 47 tag
	Required bool              `json:"required,omitempty"`
	Pattern  string            `json:"pattern,omitempty"` // RE2, which the whole value matches
	Max      int               `json:"max,omitempty"`     // characters; 0: MaxEntered
	Options  []FieldOption     `json:"options,omitempty"` // to choose from
}

// FieldOption is a value that the payer can choose. Without a label the value is shown.
type FieldOption struct {
	Value string            `json:"value"`
	Label map[string]string `json:"label,omitempty"` // by BCP 47 tag
}

// The limits of described fields.
const (
	MaxFields  = 20
	maxOptions = 50
	maxLabels  = 40  // languages
	maxLabel   = 200 // characters
	maxPattern = 200 // bytes
	MaxEntered = 255 // characters
	KindDigits = method.FieldKind("digits")
)

// DescribedInputs are the kinds of described fields, as the page draws them.
var DescribedInputs = map[method.FieldKind]method.Input{
	method.FieldText: {Kind: method.FieldText, Autocomplete: "off"},
	KindDigits: {
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
	_, known := DescribedInputs[f.Kind]
	_, err := regexp.Compile(f.Pattern)
	chosen := f.Kind == method.FieldSelect
	switch {
	case f.Kind == "" && (f.Label != nil || f.Pattern != "" || f.Max != 0 || f.Required):
		return "kind", "is missing, although there is a description"
	case len(f.Options) > maxOptions:
		return "options", fmt.Sprintf("has more than %d options", maxOptions)
	case f.Kind == "":
		return f.optionsFault()
	case !known:
		return "kind", "is not one of the contract's"
	case !describedID.MatchString(f.ID):
		return "id", "has other characters than letters, digits, _ and -, or more than 64"
	case len(f.Label) == 0:
		return "label", "is missing"
	case labelFault(f.Label) != "":
		return "label", labelFault(f.Label)
	case f.Max < 0 || f.Max > MaxEntered:
		return "max", fmt.Sprintf("is not within 0 and %d", MaxEntered)
	case len(f.Pattern) > maxPattern || err != nil:
		return "pattern", fmt.Sprintf("is no regular expression of RE2 of at most %d bytes", maxPattern)
	case f.Pattern != "" && (chosen || f.Kind == method.FieldCheckbox):
		return "pattern", "is of no use for this kind"
	case chosen != (len(f.Options) > 0):
		return "options", "has no options of a select, or is of another kind"
	}
	if member, fault := CardFault(f.ID, f.Label); fault != "" {
		return member, fault
	}
	return f.optionsFault()
}

func (f FormField) optionsFault() (member, fault string) {
	known := map[string]bool{}
	for i, o := range f.Options {
		member := fmt.Sprintf("options[%d]", i)
		switch {
		case o.Value == "" || utf8.RuneCountInString(o.Value) > MaxEntered || method.HasControl(o.Value):
			return member + ".value", fmt.Sprintf("has not 1 to %d characters that can be shown", MaxEntered)
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
	switch {
	case label != nil && len(label) == 0:
		return "has no text"
	case len(label) > maxLabels:
		return fmt.Sprintf("has more than %d languages", maxLabels)
	}
	for tag, text := range label {
		switch {
		case !languageTag.MatchString(tag):
			return "has a name that is no BCP 47 tag of a language"
		case strings.TrimSpace(text) == "", fault.Printable(text, maxLabel) != text:
			return fmt.Sprintf("has a text without 1 to %d characters that can be shown", maxLabel)
		}
	}
	return ""
}
