package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// field is a field of a form that an action asks for.
type field struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	Label    map[string]string `json:"label"`
	Required bool              `json:"required"`
	Max      *int              `json:"max"`
	Pattern  string            `json:"pattern"`
	Options  []struct {
		Value string            `json:"value"`
		Label map[string]string `json:"label"`
	} `json:"options"`
}

var (
	fieldKinds = []string{
		"text", "digits", "number", "date", "email", "phone", "code", "password", "select", "checkbox",
	}
	fieldID     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$`)

	// ownFields are the parameters that the page asks for after a charge, by method: they need no description.
	ownFields = map[string][]string{
		"pull_bank": {"bankDetails.account", "bankDetails.otp"}, "pull_wallet": {"bankDetails.otp"},
	}
)

// checkFields returns what is wrong with the fields of an action for a charge by a method. The service refuses an
// action of which it can't draw every field.
func checkFields(fields []field, method string) error {
	if len(fields) > 20 {
		return fmt.Errorf("expected at most 20 action.fields, got %d", len(fields))
	}
	known := map[string]bool{}
	for i, f := range fields {
		text := f.fault()
		if text == "" && f.Kind == "" && !slices.Contains(ownFields[method], f.ID) {
			text = "a kind, since the page has no field of its own with this id for " + method
		}
		if known[f.ID] {
			text = "an id of its own"
		}
		if text != "" {
			return fmt.Errorf("expected of action.fields[%d] (%q) %s", i, f.ID, text)
		}
		known[f.ID] = true
	}
	return nil
}

// fault returns what is expected of a field and is not so, "" if all is.
func (f field) fault() string {
	_, err := regexp.Compile(f.Pattern)
	chosen := f.Kind == "select"
	switch {
	case f.Kind == "" && (len(f.Label) > 0 || f.Required || f.Max != nil || f.Pattern != ""):
		return "a kind beside its description"
	case f.Kind == "":
		return ""
	case !slices.Contains(fieldKinds, f.Kind):
		return "a kind of the contract, got " + f.Kind
	case !fieldID.MatchString(f.ID):
		return "an id of up to 64 letters, digits, _ and -"
	case len(f.Label) == 0 || !goodLabel(f.Label):
		return "a label: up to 40 texts of 1 to 200 characters, by language"
	case f.Max != nil && (*f.Max < 1 || *f.Max > 255):
		return "a max of 1 to 255"
	case err != nil || len(f.Pattern) > 200 || f.Pattern != "" && (chosen || f.Kind == "checkbox"):
		return "a pattern of RE2 of up to 200 bytes, not of select and checkbox"
	case chosen != (len(f.Options) > 0) || len(f.Options) > 50:
		return "1 to 50 options of a select, and none of another kind"
	}
	known := map[string]bool{}
	for _, o := range f.Options {
		length := utf8.RuneCountInString(o.Value)
		if length == 0 || length > 255 || strings.TrimSpace(o.Value) != o.Value || known[o.Value] || !goodLabel(o.Label) {
			return "options with values of their own of 1 to 255 characters, and good labels"
		}
		known[o.Value] = true
	}
	return ""
}

func goodLabel(label map[string]string) bool {
	for tag, text := range label {
		if !languageTag.MatchString(tag) || strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > 200 {
			return false
		}
	}
	return len(label) <= 40
}
