package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"checkout/internal/audit"
	"checkout/internal/grant"
	"checkout/internal/operator"
	"checkout/internal/request"
)

// AnyGrant is the right of routes for everybody who has a grant.
const AnyGrant grant.Right = "any grant"

type callerKey struct{}

// WithCaller returns the context of a request to the admin API: who calls, as whoever has authenticated them knows
// them, and via what, command or page. Without a caller every request is refused.
func WithCaller(ctx context.Context, who, via string) context.Context {
	if via != "command" && via != "page" {
		via = ""
	}
	return context.WithValue(ctx, callerKey{}, grant.Person{Who: who, Via: via})
}

// adminCall is a request of a person to the admin API.
type adminCall struct {
	*http.Request
	api     *API
	service *operator.Service // whose changes are those of this person, if the request is an act
	by      grant.Person
	query   adminQuery
	key     string // Idempotency-Key of an act
}

// read handles a request that changes nothing. It may have the parameters that are named, separated by spaces.
type read struct {
	right      grant.Right
	parameters string
	do         func(c *adminCall) (any, error)
}

func (f read) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	c, err := a.admit(r, f.right)
	if err != nil {
		return err
	}
	if c.query, err = readQuery(r, strings.Fields(f.parameters)); err != nil {
		return err
	}
	result, err := f.do(c)
	if err != nil {
		return err
	}
	if file, ok := result.(export); ok {
		file.write(w)
		return nil
	}
	writeJSON(w, http.StatusOK, result)
	return nil
}

// act handles a request that changes something. T is its body.
type act[T explained] struct {
	right grant.Right
	do    func(c *adminCall, body T) (any, error)
}

// explained is a body that says why.
type explained interface{ why() string }

// because is a part of every body.
type because struct {
	Reason string `json:"reason"`
}

func (b because) why() string { return b.Reason }

func (f act[T]) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	c, err := a.admit(r, f.right)
	if err != nil {
		return err
	}
	if _, err := readQuery(r, nil); err != nil {
		return err
	}
	c.key = r.Header.Get("Idempotency-Key")
	switch {
	case !request.IsIdempotencyKey(c.key):
		return request.ErrIdempotencyKey("It should have at most 255 printable ASCII characters.")
	case c.key == "" && f.right == grant.Money:
		return request.ErrIdempotencyKey("It is missing: without it, a repeat would move money twice.")
	}
	var body T
	if err := readAct(r, &body); err != nil {
		return err
	}
	service := *a.Operator
	if service.Act, err = c.act(body.why()); err != nil {
		return err
	}
	c.service = &service
	result, err := f.do(c, body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, result)
	return nil
}

// admit returns the call of a person who has a right. Their name is in the log line, also of a refused request.
func (a *API) admit(r *http.Request, right grant.Right) (*adminCall, error) {
	caller, _ := r.Context().Value(callerKey{}).(grant.Person)
	if caller.Who == "" {
		return nil, request.ErrDenied()
	}
	note := request.NoteOf(r.Context())
	note.Attrs = append(note.Attrs, slog.String("who", caller.Who))
	by, err := a.Operator.PersonOf(r.Context(), caller.Who, caller.Via)
	switch {
	case err != nil:
		return nil, err
	case len(by.Grants) == 0:
		return nil, denied("You have no grant: an administrator can give you one.")
	case right != AnyGrant && !by.Has(right):
		return nil, errRight(right)
	}
	return &adminCall{Request: r, api: a, service: a.Operator, by: by}, nil
}

// errRight is the error for a person who does not have a right, or not for these payments.
func errRight(right grant.Right) error {
	return denied(`Your roles don't have the right "` + string(right) + `" for that.`)
}

func denied(text string) error { return request.Refuse(request.CodeDenied, request.FaultInvalid, text) }

// act returns what the audit log has of the call.
func (c *adminCall) act(reason string) (audit.Act, error) {
	act := audit.Act{
		ID: hex.EncodeToString(c.api.Core.Random(16)), Who: c.by.Who, By: nameOf(c.by.Who), Command: command(c.Pattern),
		Reason: strings.TrimSpace(reason),
	}
	if act.Reason == "" {
		return act, invalid("reason", missingText)
	}
	if err := act.Check(); err != nil {
		return act, invalid("reason", err.Error())
	}
	return act, nil
}

// nameOf is the last part of a caller: of an ARN the name of a user, or of the session of a role.
func nameOf(who string) string { return who[strings.LastIndexByte(who, '/')+1:] }

// command is a route in the words of the command: payments refund.
func command(pattern string) string {
	_, path, _ := strings.Cut(pattern, "/admin/v1/")
	words := slices.DeleteFunc(strings.Split(path, "/"), func(word string) bool { return strings.HasPrefix(word, "{") })
	return strings.Join(words, " ")
}

// readAct reads the body of an act. Its errors name every member that is unknown or of another type.
func readAct(r *http.Request, into any) error {
	text, err := readBody(r)
	if err != nil {
		return err
	}
	if _, err := request.ReadObject(text); err != nil || len(text) > request.MaxBody {
		return invalid("", "The body should be one JSON object.")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return invalid("", "The body should be one JSON object.")
	}
	for _, name := range membersOf(reflect.TypeOf(into).Elem()) {
		delete(members, name)
	}
	p := &parameterReader{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		p.fault(name, unknownText)
	}
	if len(p.faults) > 0 {
		return request.Invalid(p.faults)
	}
	err = json.Unmarshal(text, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return invalid(wrong.Field, "It should be "+jsonKinds[wrong.Type.Kind()]+".")
	case err != nil:
		return invalid("", "The body can't be read.")
	}
	return nil
}

// jsonKinds are the kinds of values that bodies have.
var jsonKinds = map[reflect.Kind]string{
	reflect.String: "a text", reflect.Int: "a whole number", reflect.Slice: "a list", reflect.Struct: "an object",
}

// membersOf returns the names of the members of a body.
func membersOf(body reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(body) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}
