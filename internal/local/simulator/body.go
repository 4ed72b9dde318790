package simulator

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"checkout/internal/money"
)

// body is the JSON object of a request, or an object in it. Its methods read a member each and note what is wrong with
// it; fault then also tells of members that nothing has read.
type body struct {
	path    string // of this object, such as "order."
	members map[string]json.RawMessage
	read    map[string]bool
	shared  *bodyFaults
}

// bodyFaults are what is wrong with a request, and the objects in it.
type bodyFaults struct {
	texts   []string
	objects []body
}

// readBody reads the body of a request.
func readBody(r *http.Request) body {
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	b := body{read: map[string]bool{}, shared: &bodyFaults{}}
	if err != nil || json.Unmarshal(text, &b.members) != nil {
		b.shared.texts = append(b.shared.texts, "the body is no JSON object")
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		b.shared.texts = append(b.shared.texts, "Content-Type is not application/json")
	}
	b.shared.objects = append(b.shared.objects, b)
	return b
}

// fault returns what is wrong with the request, "" if nothing is.
func (b body) fault() string {
	for _, object := range b.shared.objects {
		for _, name := range slices.Sorted(maps.Keys(object.members)) {
			if !object.read[name] {
				b.shared.texts = append(b.shared.texts, object.path+name+" is not known")
			}
		}
	}
	return strings.Join(b.shared.texts, "; ")
}

// wrong notes another fault.
func (b body) wrong(text string) { b.shared.texts = append(b.shared.texts, text) }

// has reports whether there is a member of that name.
func (b body) has(name string) bool { return b.members[name] != nil }

// member reads a required member and reports whether it could.
func (b body) member(name string, into any) bool {
	b.read[name] = true
	switch value := b.members[name]; {
	case value == nil:
		b.shared.texts = append(b.shared.texts, b.path+name+" is missing")
	case string(value) == "null" || json.Unmarshal(value, into) != nil:
		b.shared.texts = append(b.shared.texts, b.path+name+" has another type")
	default:
		return true
	}
	return false
}

// text reads a required text that is not empty.
func (b body) text(name string) string {
	var value string
	if b.member(name, &value) && value == "" {
		b.shared.texts = append(b.shared.texts, b.path+name+" is empty")
	}
	return value
}

// optional reads a text that may be absent, but not empty.
func (b body) optional(name string) string {
	if !b.has(name) {
		return ""
	}
	return b.text(name)
}

// matching reads a required text of a form.
func (b body) matching(name, form string) string {
	value := b.text(name)
	if value != "" && !regexp.MustCompile("^(?:"+form+")$").MatchString(value) {
		b.shared.texts = append(b.shared.texts, b.path+name+" has another form than "+form)
	}
	return value
}

// truth reads a required boolean.
func (b body) truth(name string) (value bool) {
	b.member(name, &value)
	return value
}

// number reads a required JSON number as its text.
func (b body) number(name string) string {
	var value json.RawMessage
	if !b.member(name, &value) {
		return ""
	}
	if !regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`).Match(value) {
		b.shared.texts = append(b.shared.texts, b.path+name+" is no plain number")
		return ""
	}
	return string(value)
}

// amount reads a required amount, a JSON number, of a currency. An unknown currency is a fault of its own.
func (b body) amount(name, currency string) money.Amount {
	text := b.number(name)
	unit, found := money.Find(currency)
	if !found || text == "" {
		b.shared.texts = append(b.shared.texts, "the currency or the amount is not known")
		return money.Amount{}
	}
	amount, err := money.Parse(text, unit)
	if err != nil {
		b.shared.texts = append(b.shared.texts, b.path+name+" is no amount of "+currency)
	}
	return amount
}

// object reads a required object.
func (b body) object(name string) body {
	inner := body{path: b.path + name + ".", read: map[string]bool{}, shared: b.shared}
	b.member(name, &inner.members)
	b.shared.objects = append(b.shared.objects, inner)
	return inner
}

// refuse responds that a request was refused before anything was done, with a code and what is wrong. If that begins
// with the name of a field, as the faults of a body do, the response names the field.
func refuse(w http.ResponseWriter, status int, code, text string) {
	said := map[string]string{"code": code, "message": text}
	if name, rest, _ := strings.Cut(text, " "); strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "has ") {
		said["field"] = name
	}
	writeJSON(w, status, map[string]any{"error": said})
}

// refused refuses a request whose body has a fault, and reports whether it has one.
func (b body) refused(w http.ResponseWriter) bool {
	fault := b.fault()
	if fault != "" {
		refuse(w, http.StatusBadRequest, "invalid_request", fault)
	}
	return fault != ""
}

// perform executes what a request asks for, and responds with what the family says of the operation.
func (s *Simulator) perform(w http.ResponseWriter, r *http.Request, o Operation, says func(Operation) map[string]any) {
	done, err := s.execute(r, o)
	if err != nil {
		notExecuted(w, err)
		return
	}
	writeJSON(w, http.StatusOK, says(done))
}

// known finds the operation with a reference. If there is none it refuses the request.
func (s *Simulator) known(w http.ResponseWriter, family, reference string) (o Operation, found bool) {
	if o, found = s.lookUp(family, reference); !found {
		refuse(w, http.StatusNotFound, "unknown_reference", "no operation has this reference")
	}
	return o, found
}

// notExecuted responds to a request that execute did not execute.
func notExecuted(w http.ResponseWriter, err error) {
	refuse(w, http.StatusConflict, "reference_reused", err.Error())
}

// messages are the texts of declines, in the provider's words, by their codes.
var messages = map[string]string{
	"insufficient_funds": "There are not enough funds.",
	"do_not_honor":       "The issuer does not honour it.",
	"try_again_later":    "Please try again later.",
	"card_stolen":        "The card was reported stolen.",
	"payer_refused":      "The payer has refused.",
	"payer_too_slow":     "The payer was too slow.",
	"not_allowed":        "This is not possible.",
	"too_many_pins":      "A wrong code was entered too often.",
	"pin_unknown":        "There is no voucher with this PIN.",
	"pin_used":           "The voucher was used before.",
	"pin_value_too_low":  "The voucher is worth less.",
}

// hintNotice is a notice that says only which operation has changed, because the provider signs nothing: its receiver
// looks the operation up.
func hintNotice(_ *Simulator, o Operation) *http.Request {
	text, _ := json.Marshal(map[string]string{"id": o.ID, "reference": o.Reference})
	request, err := http.NewRequest(http.MethodPost, o.NoticeURL, strings.NewReader(string(text)))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	return request
}
