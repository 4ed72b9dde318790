package merchant

import (
	"encoding/binary"
	"slices"
	"strings"

	"checkout/internal/method"
	"checkout/internal/request"
)

// SandboxConnector is the connector that the test key always goes to (decisions.md 8).
const SandboxConnector = "sandbox"

// Route is where a session's payments can go: the mapping that governs it and
// the MIDs that take it, in the mapping's order.
type Route struct {
	Mapping     *Mapping
	MIDs        []MID        // with the methods that each takes of this request
	Evaluations []Evaluation // of all MIDs of the merchant
	shown       []string     // the methods that the request or a pre-routing rule names, in that order; none: all that a MID takes
	Required    []string     // page field ids that the mapping and the form require
}

// FindRoute picks the first enabled mapping with a MID that takes the request. Where there is none, the route has
// evaluations alone. Errors: CodeDenied if only a disabled mapping has one; CodeInvalid.
func FindRoute(m *Merchant, req *request.Session) (Route, error) {
	r := Route{Evaluations: evaluate(m, req)}
	for _, e := range r.Evaluations {
		if len(e.Reasons) == 0 {
			r.Mapping, r.MIDs = e.Mapping, append(r.MIDs, e.MID)
		}
	}
	if r.Mapping == nil {
		return r, refusal(m, req, r.Evaluations)
	}
	r.shown, _ = r.Mapping.Shown(req)
	r.Required = slices.Concat(r.Mapping.RequiredFields, m.formNamed(req.FormID).RequiredFields)
	if req.VATCalc && len(r.Mapping.VATRates) > 0 {
		r.Required = append(r.Required, method.PayerCountry) // asked for unless it was sent
	}
	return r, nil
}

// refusal says the most that can be said of why no MID takes a request.
func refusal(m *Merchant, req *request.Session, evaluations []Evaluation) error {
	if faults := notOnChannel(m, req); len(faults) > 0 {
		return request.Invalid(faults)
	}
	asked, able := 0, 0 // MIDs that may be meant, and those of them that carry the operation out
	for _, e := range evaluations {
		switch {
		case len(e.Reasons) == 1 && e.has("mapping_disabled"):
			return request.ErrDenied()
		case e.has("mapping_disabled") || e.has("disabled") || e.has("channel_id"):
		case e.has("operation"), e.has("connector_operation"):
			asked++
		default:
			asked, able = asked+1, able+1
		}
	}
	if asked > 0 && able == 0 {
		return request.Invalid([]request.Fault{{Code: request.FaultOperation, Path: "operation", Text: "This operation is not supported."}})
	}
	return ErrNoMapping()
}

// ErrNoMapping refuses a request that no mapping takes.
func ErrNoMapping() *request.Error {
	return request.Refuse(request.CodeInvalid, request.FaultNoMapping, "Protocol mapping not found.")
}

// Methods returns what the payer can choose from, each method once, in the order in which it is shown.
func (r Route) Methods() []string {
	var taken []string
	for _, mid := range r.MIDs {
		taken = append(taken, mid.Methods...)
	}
	if r.shown == nil {
		return distinct(taken)
	}
	return distinct(slices.DeleteFunc(slices.Clone(r.shown), func(name string) bool { return !slices.Contains(taken, name) }))
}

// distinct returns the same in the same order, each once.
func distinct[T comparable](all []T) []T {
	var once []T
	for _, one := range all {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	return once
}

// Order returns the MIDs that take the method, in the order in which they are
// tried: those with a weight are drawn one after the other, each by its share
// of the weights that are left; then the others in the mapping's order.
func (r Route) Order(name string, random func(n int) []byte) []MID {
	drawn, rest := r.ByWeight(name)
	for i := range drawn {
		j := i + draw(drawn[i:], random)
		drawn[i], drawn[j] = drawn[j], drawn[i]
	}
	return append(drawn, rest...)
}

// ByWeight returns the MIDs that take the method: those with a weight, and those without.
func (r Route) ByWeight(name string) (weighted, rest []MID) {
	for _, mid := range r.MIDs {
		switch {
		case !slices.Contains(mid.Methods, name):
		case mid.Weight > 0:
			weighted = append(weighted, mid)
		default:
			rest = append(rest, mid)
		}
	}
	return weighted, rest
}

// draw returns the index of one MID, each with the chance weight / sum of
// weights. 64 random bits are so many more than the sum that no share differs
// by more than one part in a billion.
func draw(mids []MID, random func(n int) []byte) int {
	if len(mids) == 1 {
		return 0
	}
	sum := uint64(0)
	for _, mid := range mids {
		sum += uint64(mid.Weight)
	}
	at := binary.BigEndian.Uint64(random(8)) % sum
	for i, mid := range mids {
		if at < uint64(mid.Weight) {
			return i
		}
		at -= uint64(mid.Weight)
	}
	panic("draw: the weights do not add up to their sum")
}

// MIDNames are the names of MIDs, in their order.
func MIDNames(mids []MID) []string {
	var all []string
	for _, mid := range mids {
		all = append(all, mid.Name)
	}
	return all
}

// MID returns the MID of that name in a mapping, and whether it is still there.
func (m *Merchant) MID(mapping, name string) (MID, bool) {
	if m == nil {
		return MID{}, false
	}
	mids := m.MappingNamed(mapping).MIDs
	i := slices.IndexFunc(mids, func(mid MID) bool { return mid.Name == name })
	if i < 0 {
		return MID{}, false
	}
	return mids[i], true
}

// ConnectorFor is where the MID's payments go: in test mode always to the sandbox.
func (mid MID) ConnectorFor(o request.Owner) string {
	if o.Test {
		return SandboxConnector
	}
	return mid.Connector
}

// formNamed returns the merchant's form with an id, or one without an id that asks for nothing.
func (m *Merchant) formNamed(id string) Form {
	if m == nil {
		return Form{}
	}
	for _, form := range m.Forms {
		if strings.EqualFold(form.ID, id) {
			return form
		}
	}
	return Form{}
}

// MappingNamed returns the merchant's mapping of that name, or one with default settings if it was removed.
func (m *Merchant) MappingNamed(name string) *Mapping {
	for i := range m.Mappings {
		if m.Mappings[i].Name == name {
			return &m.Mappings[i]
		}
	}
	return &Mapping{Name: name}
}

// DeclineLimit is the mapping's 'Maximum number of declines' (decisions.md 5).
func (m *Mapping) DeclineLimit() int {
	if m.MaxDeclines == 0 {
		return DefaultMaxDeclines
	}
	return m.MaxDeclines
}

// ScheduleNamed returns the merchant's schedule with an id, nil if there is none.
func (m *Merchant) ScheduleNamed(id string) *Schedule {
	if m == nil || id == "" {
		return nil
	}
	for i := range m.Schedules {
		if m.Schedules[i].ID == id {
			return &m.Schedules[i]
		}
	}
	return nil
}

// HasSchedule reports whether the merchant has a schedule with an id.
func (m *Merchant) HasSchedule(id string) bool { return m.ScheduleNamed(id) != nil }

// HasForm reports whether the merchant has a form with an id.
func (m *Merchant) HasForm(id string) bool { return m.formNamed(id).ID != "" }
