package api

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/request"
)

// readAct reads the body of an act. Its error names all members that are unknown, missing or empty: an empty text is
// likely a variable that is not set, and must not mean what an absent one does, such as all that is left of a payment.
func readAct(r *http.Request, into any) error {
	most := request.MaxBody
	if large, ok := into.(interface{ most() int }); ok {
		most = large.most()
	}
	text, err := readBodyOf(r, most)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	_, err = request.ReadObject(text)
	if err != nil || len(text) > most || json.Unmarshal(text, &members) != nil {
		return fault.At("", "The body should be one JSON object.")
	}
	p := &parameterReader{}
	all, required := membersOf(reflect.TypeOf(into).Elem())
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(all, name) {
			p.fault(name, unknownText)
		} else if isBlank(members[name]) && !slices.Contains(required, name) {
			p.fault(name, blankText)
		}
	}
	for _, name := range required {
		if sent := string(members[name]); sent == "" || sent == "null" || isBlank(members[name]) {
			p.fault(name, missingText)
		}
	}
	if len(p.faults) > 0 {
		return fault.Invalid(p.faults)
	}
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(text, into); {
	case errors.As(err, &wrong):
		name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:] // without the type that it is embedded by
		return fault.At(name, "It should be "+jsonKinds[wrong.Type.Kind()]+".")
	case err != nil:
		return fault.At("", "The body can't be read.")
	}
	return nil
}

// isBlank reports whether a member is a text without a sign that can be seen.
func isBlank(member json.RawMessage) bool {
	var text string
	return len(member) > 0 && member[0] == '"' && json.Unmarshal(member, &text) == nil && strings.TrimSpace(text) == ""
}

// jsonKinds are the kinds of values that bodies have.
var jsonKinds = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Int: "a whole number", reflect.Int64: "a whole number",
	reflect.Slice: "a list of texts", reflect.Bool: "true or false",
}

// membersOf returns the names of the members of a body. Those without omitempty are required.
func membersOf(body reflect.Type) (all, required []string) {
	for _, f := range reflect.VisibleFields(body) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		all = append(all, name)
		if options == "" {
			required = append(required, name)
		}
	}
	return all, required
}

// of is whose something is that an act names. Without a mode it is live.
type of struct {
	Merchant string     `json:"merchant"`
	Mode     grant.Mode `json:"mode,omitempty"`
}

// owner returns the owner. Errors: CodeInvalid.
func (o of) owner() (fault.Owner, error) {
	if o.Mode != "" && o.Mode != grant.Live && o.Mode != grant.Test {
		return fault.Owner{}, fault.At("mode", "It should be one of: live, test.")
	}
	return fault.Owner{Merchant: o.Merchant, Test: o.Mode == grant.Test}, nil
}
