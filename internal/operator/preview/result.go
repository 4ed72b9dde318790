package preview

import (
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/routing"
)

// Result says what a change of settings would have done to stored sessions. A session may count for other methods and
// for another first MID.
type Result struct {
	Sessions int       `json:"sessions"` // that were evaluated by both settings
	From     time.Time `json:"from"`     // all sessions since then were looked at, until there were enough
	Until    time.Time `json:"until"`

	OtherMethods  Change `json:"other_methods"`   // the payer would be offered others, whatever their order
	OtherFirstMID Change `json:"other_first_mid"` // of a method offered by both: other MIDs could be tried first
	None          Change `json:"none"`            // had methods, and would have none
	Gained        Change `json:"gained"`          // had none, and would have some
	Unreadable    int    `json:"unreadable"`      // listed sessions whose document is gone or can't be read

	Shares   []Share   `json:"shares"` // by method, mapping and MID
	Warnings []Warning `json:"warnings"`
}

// Change is how many sessions a draft changes in one way, with the latest of them.
type Change struct {
	Count    int       `json:"count"`
	Examples []Example `json:"examples"`
}

// Example is a session that a draft changes. It has nothing of the payer but the country.
type Example struct {
	ID       string     `json:"id"` // of its payment, or of the one that it would have had first
	Mode     grant.Mode `json:"mode"`
	Order    string     `json:"order"`
	Amount   string     `json:"amount"` // as it was sent: "" or -1 if the payer enters it
	Currency string     `json:"currency"`
	Country  string     `json:"country"` // of the billing address, "" for not known

	Before Outcome `json:"before"`
	After  Outcome `json:"after"`
	// MIDs are those of the draft, as an explanation of the session's request has them, without circuit breakers. None if
	// the draft has disabled the merchant or has removed the session's mapping.
	MIDs []routing.ExplainedMID `json:"mids"`
}

// Outcome is what the payer of a session gets by some settings.
type Outcome struct {
	Mapping string           `json:"mapping"` // "" if no MID takes the session
	Methods []Offered        `json:"methods"`
	Reasons []routing.Reason `json:"reasons"` // why there is no method, each once
}

// Offered is a method that the payer can choose.
type Offered struct {
	ID        string   `json:"id"`
	FirstMIDs []string `json:"first_mids"` // one, or those with a weight, of which one is drawn
}

// Share is how often a MID is the first to be tried of all sessions that offer a method, in hundredths of a per cent.
type Share struct {
	Method  string `json:"method"`
	Mapping string `json:"mapping"`
	MID     string `json:"mid"`
	Before  int    `json:"before"`
	After   int    `json:"after"`
}

// Warning is something in a draft that is allowed, and hardly meant.
type Warning struct {
	Path   string `json:"path"` // with names in place of indices: mappings[default].mids[card].limits[EUR].max
	Text   string `json:"text"`
	Number int    `json:"number"` // sessions that it is about; of a weight that counts for nothing, the weight
}
