package api

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/query"
)

// filters are the parameters that choose payments.
const filters = "merchant mode from until status method mid currency amount country card approval_code callbacks " +
	"reason_code"

// callbackFilters choose undelivered callbacks.
const callbackFilters = "zone url from until merchant mode callbacks cursor"

// maxRows is the most rows of a list.
const maxRows = 500

// adminQuery has the parameters of a request.
type adminQuery struct {
	query.Filter
	q       string // what to find
	email   string // of a payer
	mapping string // of settings
	url     string // of callbacks
	format  string // of an export
}

// readQuery reads the parameters with these names. Its error names all others, those that are there twice, and those
// that have no such value.
func readQuery(values url.Values, names []string) (adminQuery, error) {
	p := &parameterReader{values: values, zone: time.UTC}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case !slices.Contains(names, name):
			p.fault(name, unknownText)
		case len(values[name]) > 1:
			p.fault(name, "It is there twice.")
		}
	}
	p.readZone()
	q := adminQuery{
		q: p.text("q"), email: p.text("email"), url: p.text("url"), mapping: p.text("mapping"),
		format: p.choice("format", "csv", "jsonl"),
	}
	q.Filter = query.Filter{
		Merchant: p.text("merchant"), Mode: p.choice("mode", "live", "test"),
		From: p.time("from", false), Until: p.time("until", true),
		Status: p.text("status"), Method: p.text("method"), MID: p.text("mid"), Currency: p.text("currency"),
		Amount: p.text("amount"), Country: p.text("country"), Card: p.text("card"), ApprovalCode: p.text("approval_code"),
		Callbacks: callback.State(p.choice("callbacks", states...)), ReasonCode: p.text("reason_code"),
		Cursor: p.text("cursor"), Limit: p.number("limit", maxRows), Zone: p.zone,
	}
	if p.text("day") != "" {
		q.From, q.Until = p.time("day", false), p.time("day", true)
	}
	if len(p.faults) > 0 {
		return adminQuery{}, fault.Invalid(p.faults)
	}
	return q, nil
}

const (
	unknownText = "It is not known here."
	missingText = "It is missing."
	blankText   = "It is empty: leave it out, or give it a value."
)

// states are those of callbacks that people look for.
var states = []string{string(callback.Waiting), string(callback.Parked), string(callback.Delivered)}

// parameterReader reads the parameters of a request and collects their faults.
type parameterReader struct {
	values url.Values
	zone   *time.Location // of days
	faults []fault.Fault
}

func (p *parameterReader) fault(path, text string) {
	p.faults = append(p.faults, fault.Of(path, text))
}

func (p *parameterReader) text(name string) string { return p.values.Get(name) }

// choice reads a parameter that is one of some texts, or absent.
func (p *parameterReader) choice(name string, texts ...string) string {
	text := p.text(name)
	if text != "" && !slices.Contains(texts, text) {
		p.fault(name, "It should be one of: "+strings.Join(texts, ", ")+".")
	}
	return text
}

// number reads a whole number from 1 to most, 0 if it is absent.
func (p *parameterReader) number(name string, most int) int {
	text := p.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		p.fault(name, "It should be a number from 1 to "+strconv.Itoa(most)+".")
	}
	return n
}

// readZone reads the zone of days: a name of the IANA or a difference from UTC. UTC is that of a request without one.
func (p *parameterReader) readZone() {
	name := p.text("zone")
	if name == "" {
		return
	}
	if at, err := time.Parse("-07:00", name); err == nil {
		_, east := at.Zone()
		p.zone = time.FixedZone(name, east)
		return
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		p.fault("zone", "It should be a time zone such as Europe/Oslo, or a difference from UTC such as +05:30.")
		return
	}
	p.zone = zone
}

// time reads a time, or a day, of which it is the beginning or the end. It is zero if it is absent.
func (p *parameterReader) time(name string, end bool) time.Time {
	text := p.text(name)
	if text == "" {
		return time.Time{}
	}
	if at, err := time.ParseInLocation(time.DateOnly, text, p.zone); err == nil {
		if end {
			at = at.AddDate(0, 0, 1)
		}
		return at
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.fault(name, "It should be a day such as 2026-11-23, or a time such as 2026-11-23T14:05:00Z.")
	}
	return at.UTC()
}
