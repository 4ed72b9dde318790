package api

import (
	"cmp"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/request"
)

// AnyGrant is the right of routes for everybody who has a grant.
const AnyGrant grant.Right = "any grant"

// adminCall is a request of a person to the admin API.
type adminCall struct {
	*http.Request
	api   *API
	by    grant.Person
	query adminQuery
	owner fault.Owner // of what an act is about, if it is about something of one merchant
	key   string      // Idempotency-Key of an act
	act   audit.Act   // by this person, if the request is an act
}

// admission is what decides who may do what.
type admission struct {
	people *operator.People
	reader *query.Reader
}

// read handles a request that changes nothing. It may have the parameters that are named, separated by spaces.
type read struct {
	admission
	right      grant.Right
	parameters string
	do         func(c *adminCall) (any, error)
}

func (f read) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	c, err := f.admit(a, r, f.right)
	if err != nil {
		return err
	}
	if err := c.readQuery(f.parameters); err != nil {
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
	admission
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
	c, err := f.admit(a, r, f.right)
	if c == nil {
		return err
	}
	var result any
	if err == nil {
		result, err = f.run(c, r)
	}
	if err != nil {
		c.recordRefusal(err)
		return err
	}
	writeJSON(w, http.StatusOK, result)
	return nil
}

// run does what is asked for, if the person may.
func (f act[T]) run(c *adminCall, r *http.Request) (any, error) {
	if err := f.mayChangePayment(c, f.right); err != nil {
		return nil, err
	}
	if err := c.readQuery(""); err != nil {
		return nil, err
	}
	c.key = r.Header.Get("Idempotency-Key")
	switch {
	case !request.IsIdempotencyKey(c.key):
		return nil, request.ErrIdempotencyKey("It should have at most 255 printable ASCII characters.")
	case c.key == "" && f.right == grant.Money:
		return nil, request.ErrIdempotencyKey("It is missing: without it, a repeat would move money twice.")
	}
	var body T
	if err := readAct(r, &body); err != nil {
		return nil, err
	}
	if owned, ok := any(body).(owned); ok {
		if err := f.mayChangeOf(c, owned, f.right); err != nil {
			return nil, err
		}
	}
	act, err := c.explainedAct(body.why())
	if err != nil {
		return nil, err
	}
	c.act = act
	return f.do(c, body)
}

// admit returns the call of a person who has a right. That of a person with other rights is returned with the error.
func (d admission) admit(a *API, r *http.Request, right grant.Right) (*adminCall, error) {
	by, err := d.personOf(r)
	switch {
	case err != nil:
		return nil, err
	case len(by.Grants) == 0:
		return nil, denied("You have no grant: an administrator can give you one.")
	case right != AnyGrant && !by.Has(right):
		return &adminCall{Request: r, api: a, by: by}, errRight(right)
	}
	return &adminCall{Request: r, api: a, by: by}, nil
}

// personOf returns who calls, with the grants that are theirs: whom AWS knows, or else who has signed in. Their name is
// in the log line, also of a refused request.
func (d admission) personOf(r *http.Request) (grant.Person, error) {
	if caller := callerOf(r.Context()); caller.Who != "" {
		logCaller(r.Context(), caller.Who)
		if len(caller.Grants) > 0 {
			return caller, nil
		}
		return d.people.PersonOf(r.Context(), caller.Who, caller.Via)
	}
	token := tokenOf(r)
	if token.text == "" {
		return grant.Person{}, errSignedOut()
	}
	signedIn, err := d.people.SignedIn(r.Context(), token.text)
	if err != nil {
		return grant.Person{}, err
	}
	if err := token.check(r, signedIn.Session); err != nil {
		return grant.Person{}, err
	}
	return signedIn.Person, nil
}

// readQuery reads the query of the call, which may have the parameters that are named.
func (c *adminCall) readQuery(names string) error {
	values, err := url.ParseQuery(c.URL.RawQuery)
	if err != nil {
		return fault.At("", "The query can't be read.")
	}
	c.query, err = readQuery(values, strings.Fields(names))
	return err
}

// errRight is the error for a person who does not have a right, or not for these payments.
func errRight(right grant.Right) error {
	return denied(`Your roles don't have the right "` + string(right) + `" for that.`)
}

// mayChangePayment checks that the person has a right for the payment that the path names, if it names one. A payment
// that they may not even see does not exist for them. Errors: CodeNotFound, CodeDenied.
func (d admission) mayChangePayment(c *adminCall, right grant.Right) (err error) {
	id := c.PathValue("id")
	if id == "" {
		return nil
	}
	if c.owner, err = d.reader.OwnerOf(c.Context(), id); err != nil {
		return err
	}
	return c.may(right, payment.ErrNotFound())
}

// owned is a body that names the owner of what it is about.
type owned interface {
	owner() (fault.Owner, error)
}

// mayChangeOf is mayChangePayment for what belongs to a merchant.
func (d admission) mayChangeOf(c *adminCall, body owned, right grant.Right) (err error) {
	if c.owner, err = body.owner(); err != nil {
		return err
	}
	unknown := fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
	if _, can := body.(interface{ forAll() }); can && c.owner.Merchant == grant.AllMerchants {
		return c.may(right, unknown)
	}
	known, err := d.reader.HasMerchant(c.Context(), c.owner.Merchant)
	if err != nil {
		return err
	}
	if !known {
		return unknown
	}
	return c.may(right, unknown)
}

// may checks that the person has a right for what the owner has, which is unknown to those who may not see it.
func (c *adminCall) may(right grant.Right, unknown error) error {
	switch {
	case c.by.Level(grant.Find, c.owner) == grant.None:
		return unknown
	case c.by.Level(right, c.owner) < grant.Full:
		return errRight(right)
	}
	return nil
}

// auditAct returns what the audit log has of the call.
func (c *adminCall) auditAct(reason string) audit.Act {
	return audit.Act{
		ID: hex.EncodeToString(c.api.Core.Random(16)), Who: c.by.Who, By: cmp.Or(c.by.Name, nameOf(c.by.Who)),
		Command: command(c.Pattern),
		Reason:  strings.TrimSpace(reason), Via: c.by.Via, Role: c.by.Role(), RequestID: fault.RequestID(c.Context()),
		Key: c.key,
	}
}

// explainedAct is auditAct with a reason that a person has to give.
func (c *adminCall) explainedAct(reason string) (audit.Act, error) {
	act := c.auditAct(reason)
	if act.Reason == "" {
		return act, fault.At("reason", missingText)
	}
	if err := act.Check(); err != nil {
		return act, fault.At("reason", err.Error())
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

// recordRefusal stores that an act was refused, in the audit log. One that only was not written as it should be is not
// stored. The act has failed anyway, whether that can be stored or not.
func (c *adminCall) recordRefusal(err error) {
	switch fault.CodeOf(err) {
	case fault.CodeDenied, fault.CodeNotAllowed, fault.CodeNotFound:
	default:
		return
	}
	if c.act.ID == "" {
		c.act = c.auditAct("")
	}
	what := "payment/" + c.PathValue("id")
	if c.PathValue("id") == "" {
		what = "merchant/" + cmp.Or(c.PathValue("merchant"), c.owner.Merchant, "-")
	}
	core := c.api.Core
	change := audit.Change{What: what, Changes: []string{"is refused: " + err.Error()}}
	if err := c.act.Save(c.Context(), core.Store, core.Now(), change); err != nil {
		core.Log.WarnContext(c.Context(), "a refused act is not in the audit log", "error", err)
	}
}
