package method

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Need says when a parameter has to be sent, in the words of the specification.
type Need string

// The needs. Whether a conditional parameter is needed depends on provider or flow, so no session request is rejected
// without it.
const (
	Required    Need = "yes"
	Conditional Need = "conditional"
	Optional    Need = "optional"
)

// Param is one row of a parameter set, with the columns of the specification: name, type code, need and the list of
// values, if there is one. An object or a list of objects has rows of its own.
//
// Type codes, all lengths in characters:
//
//	AN100        any text, up to 100 (AN: up to 2048)
//	A3           exactly 3 letters
//	N5           up to 5 digits
//	N13          up to 13 digits, a point allowed: the specification has it for amounts and percentages only
//	N10.N2       up to 10 digits, then optionally a point and up to 2
//	NN           exactly 2 digits
//	string       any text, up to 255
//	number       up to 13 digits, a point allowed
//	base64       base-64 of up to 64 KiB
//	date         yyyy-mm-dd
//	country      alpha-2 code of ISO 3166-1
//	country 3    alpha-3 or numeric code of ISO 3166-1 (protocol.md, Parameters)
//	country or N3   alpha-2 or numeric code of ISO 3166-1
//	url          http or https
//	true/false   a boolean, however it is written
//	object, list rows of its own
type Param struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Need   Need     `json:"need"`
	Values []string `json:"values,omitempty"`
	Rows   []Param  `json:"rows,omitempty"`
	Page   *Input   `json:"page,omitempty"` // for a value that was not sent; nil: the page does not ask for it
	Check  Check    `json:"check,omitempty"`
	By     *CheckBy `json:"by,omitempty"` // in place of Check, where another row decides about it

	Short     string   `json:"short,omitempty"`      // the member of an object that a text stands for
	EmptyWith string   `json:"empty_with,omitempty"` // beside this row=value an object need not be sent
	Top       bool     `json:"top,omitempty"`        // a flat one that may also stand at the top level of the request
	NeededBy  []string `json:"needed_by,omitempty"`  // who needs a conditional one: connectors, countries or lenders
	NotIn     []string `json:"not_in,omitempty"`     // billing countries in which nobody needs it, so that nobody asks
	Default   string   `json:"default,omitempty"`    // used if neither the request nor the MID has a value
	Preset    bool     `json:"preset,omitempty"`     // a MID's settings may have a value
	Sensitive bool     `json:"sensitive,omitempty"`  // masked in logs, explanations and exports: MaskIn
	File      bool     `json:"file,omitempty"`       // long, and not stored with the payment once the charge is decided
}

// CheckBy is a check by the value of another row.
type CheckBy struct {
	Row    string           `json:"row"`
	Checks map[string]Check `json:"checks"`
}

// MustBeSent reports whether a request without the parameter is rejected, unless the MID has a preset.
func (p Param) MustBeSent() bool { return p.Need == Required && p.Page == nil && p.Default == "" }

// MayBeEmpty returns the row beside which an object need not be sent, and that row's value, "" if there is none.
func (p Param) MayBeEmpty() (row, value string) {
	row, value, _ = strings.Cut(p.EmptyWith, "=")
	return row, value
}

// IsCode reports whether a row has codes of a fixed length that may begin with 0, so that they are texts: a JSON number
// has no leading zeros (protocol.md, Parameters).
func (p Param) IsCode() bool {
	return slices.Contains([]string{"NN", TypeCountry3, TypeCountryOrN3}, p.Type)
}

// The type codes that have no length.
const (
	TypeString      = "string"
	TypeNumber      = "number"
	TypeBase64      = "base64"
	TypeDate        = "date"
	TypeCountry     = "country"
	TypeCountry3    = "country 3"
	TypeCountryOrN3 = "country or N3"
	TypeURL         = "url"
	TypeBool        = "true/false"
	TypeObject      = "object"
	TypeList        = "list"
)

// anyLength is the limit of texts for which the specification has none, in characters.
const anyLength = 255

// anyLengthAN is the limit of the type code AN without a length, in characters: the most that any AN has.
const anyLengthAN = 2048

// maxFile is the limit of a decoded file in bytes (protocol.md, Parameters).
const maxFile = 64 << 10

// Fault returns what is wrong with a value that was sent for the row, "" if nothing is. It is for texts only: objects,
// lists and booleans are checked elsewhere.
func (p Param) Fault(value string) string {
	if p.Values != nil && !slices.Contains(p.Values, value) {
		return TextNotChoice
	}
	if fault := p.Check.fault(value); fault != "" {
		return fault
	}
	return p.typeFault(p.Plain(value))
}

// Plain returns a good value as providers get it.
func (p Param) Plain(value string) string { return p.Check.plain(value) }

func (p Param) typeFault(value string) string {
	switch p.Type {
	case TypeString:
		return textFault(value, anyLength)
	case TypeDate:
		return faultUnless(CheckDate(value), NotValid(RuleDate))
	case TypeCountry:
		return faultUnless(IsCountry(value), TextNotChoice)
	case TypeCountry3:
		return faultUnless(isCountry3(value), TextNotChoice)
	case TypeCountryOrN3:
		return faultUnless(IsCountry(value) || isNumber(value, 3) && isCountry3(value),
			NotValid("It should be a country's alpha-2 or numeric code."))
	case TypeBase64:
		return ruleBase64.fault(value)
	case TypeURL:
		return faultUnless(CheckWebURL(value), TextNotURL)
	case "NN":
		return faultUnless(len(value) == 2 && only(value, isDigit), NotValid("It should have 2 digits."))
	case "N13", TypeNumber:
		return faultUnless(isDecimal(value, 13, 13),
			NotValid("It should be a number of at most 13 digits, with or without a decimal point."))
	}
	return codeFault(p.Type, value)
}

// codeFault returns what is wrong with a value of a type code that has a length.
func codeFault(code, value string) string {
	switch letters, length, places := codeParts(code); letters {
	case "AN":
		if length == 0 {
			length = anyLengthAN
		}
		return textFault(value, length)
	case "A":
		return faultUnless(len(value) == length && only(value, isLetter),
			NotValid(fmt.Sprintf("It should have %d letters.", length)))
	case "N":
		return faultUnless(isNumber(value, length),
			NotValid(fmt.Sprintf("It should have at most %d digits and nothing else.", length)))
	case "N.N":
		whole, part, _ := strings.Cut(value, ".")
		return faultUnless(isDecimal(value, length+places, places) && len(whole) <= length && len(part) <= places,
			NotValid(fmt.Sprintf("It should be a number of at most %d digits and %d decimals.", length, places)))
	}
	return TextNotValid // not reached: a test checks the type code of every row
}

// codeParts splits a type code with lengths: AN100 into AN and 100, N10.N2 into N.N, 10 and 2.
func codeParts(code string) (letters string, length, places int) {
	head, tail, point := strings.Cut(code, ".N")
	letters = strings.TrimRight(head, "0123456789")
	length, _ = strconv.Atoi(head[len(letters):]) // 0 where there is none
	if point {
		letters += ".N"
		places, _ = strconv.Atoi(tail)
	}
	return letters, length, places
}

func faultUnless(ok bool, text string) string {
	if ok {
		return ""
	}
	return text
}

func textFault(value string, most int) string {
	if HasControl(value) {
		return NotValid(RuleText)
	}
	return LengthFault(value, 1, most)
}

func isNumber(value string, most int) bool {
	return value != "" && len(value) <= most && only(value, isDigit)
}

// isDecimal reports whether a value has up to digits digits, up to places of them behind a decimal point.
func isDecimal(value string, digits, places int) bool {
	whole, part, point := strings.Cut(value, ".")
	if point && (part == "" || len(part) > places) {
		return false
	}
	return isNumber(whole, digits) && len(whole)+len(part) <= digits && only(part, isDigit)
}

// CheckDate reports whether a text is a day of the calendar, written yyyy-mm-dd.
func CheckDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}
