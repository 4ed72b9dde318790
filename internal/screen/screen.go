// Package screen is what the checkout page is told, as data: what to show, what to ask and why. The page draws it and
// knows no method.
package screen

import (
	"checkout/internal/merchant"
	"checkout/internal/method"
)

// Screen is what the checkout page has to show now. The page draws it as it
// is and decides nothing, so a new method or a new ending needs no new page.
type Screen struct {
	Kind      Kind             `json:"kind"`
	Operation method.Operation `json:"operation,omitempty"` // purchase, debit, credit or transfer: whether the payer pays, receives or sends
	Language  string           `json:"language"`            // of the texts, e.g. "en"
	Merchant  string           `json:"merchant,omitempty"`  // the name shown to the payer
	Branding  *Brand           `json:"branding,omitempty"`  // how the page looks for this merchant's payers
	Test      bool             `json:"test,omitempty"`      // opened with the test key: no real money
	Order     *Order           `json:"order,omitempty"`
	Items     []Item           `json:"items,omitempty"` // on a form screen: the cart, if it was sent
	Message   *Message         `json:"message,omitempty"`
	Attempt   string           `json:"attempt,omitempty"` // PayRequest.Attempt of the latest one that was taken
	Actions   []Action         `json:"actions,omitempty"` // what the payer can do here beside paying

	// The end of a form, or on a wait screen with Show of the time to pay there: when it is (RFC 3339, UTC), how
	// long it is until then, and the whole lifetime of a form, in milliseconds.
	ExpiresAt   string `json:"expires_at,omitempty"`
	ExpiresInMS int64  `json:"expires_in_ms,omitempty"`
	LifetimeMS  int64  `json:"lifetime_ms,omitempty"`

	Methods []Method `json:"methods,omitempty"` // on a form screen, at least one
	Seal    *Seal    `json:"seal,omitempty"`    // on a form screen with sealed fields

	Schedule *Schedule `json:"schedule,omitempty"` // on a form screen of a payment that charges will follow
	Show     []Shown   `json:"show,omitempty"`     // on a wait screen: what the payer has to use elsewhere, such as an address
	Fields   []Field   `json:"fields,omitempty"`   // on a wait screen: a second form, for SecondForm
	Step     string    `json:"step,omitempty"`     // which form it is

	PollMS int64 `json:"poll_ms,omitempty"` // on a wait screen: ask again after this many milliseconds
	Go     *Go   `json:"go,omitempty"`      // on a go screen; on a message screen the way on, if there is one
}

// Kind names the few things that the page can do.
type Kind string

// The kinds of screens.
const (
	KindForm    Kind = "form"    // choose a method, fill its fields, pay or close
	KindWait    Kind = "wait"    // nothing to do for the payer; ask again after PollMS
	KindGo      Kind = "go"      // leave for Go.URL
	KindMessage Kind = "message" // the end: show Message, nothing else can be done here
)

// Order is what is being paid for.
type Order struct {
	Number      string `json:"number"`
	Description string `json:"description"`
	Amount      string `json:"amount"`   // decimal text with exactly Decimals digits after the point
	Currency    string `json:"currency"` // ISO 4217 or a crypto code
	Decimals    int    `json:"decimals"`
	VAT         []VAT  `json:"vat,omitempty"` // the part of Amount that is VAT: of the country that is known, else of each that the payer may choose
}

// Brand is the merchant's Branding, as far as it concerns the page.
type Brand struct {
	Logo       string `json:"logo,omitempty"`   // https address of a picture
	Accent     string `json:"accent,omitempty"` // #rrggbb
	LegalName  string `json:"legal_name,omitempty"`
	TermsURL   string `json:"terms_url,omitempty"`
	PrivacyURL string `json:"privacy_url,omitempty"`
}

// Item is one item of the cart, in the merchant's own texts.
type Item struct {
	Name     string `json:"name"`
	Quantity string `json:"quantity,omitempty"`
	Price    string `json:"price,omitempty"`
	Currency string `json:"currency,omitempty"` // of Price; absent: the order's
	Image    string `json:"image,omitempty"`    // https address, of a host that the merchant allows
}

// VAT is the VAT of one country, as text like the order's amount.
type VAT struct {
	Country string `json:"country"`
	Amount  string `json:"amount"`
}

// Schedule is what the payer agrees to. Amount is text like the order's;
// Start is the day of the first charge, yyyy-mm-dd.
type Schedule struct {
	Amount   string                `json:"amount"`
	Interval int                   `json:"interval"`
	Unit     merchant.IntervalUnit `json:"unit"`
	Count    int                   `json:"count,omitempty"` // 0: until further notice
	Start    string                `json:"start"`
}

// Action is something that the payer can do.
type Action string

// The actions.
const (
	ActionCancel  Action = "cancel"  // leave for the shop: POST cancel
	ActionPaid    Action = "paid"    // say that it was paid elsewhere: ask for the next screen at once
	ActionAnother Action = "another" // choose another way to pay
)

// Shown is one thing that the payer needs. Its label is found in the page's catalogues by ID.
type Shown struct {
	ID       string    `json:"id"` // such as crypto_address, amount_missing
	Type     ShownType `json:"type"`
	Value    string    `json:"value"`
	Currency string    `json:"currency,omitempty"` // of an amount
}

// ShownType is how a ScreenShown is drawn. One that the page does not know is drawn as a text.
type ShownType string

// The types of what is shown.
const (
	ShownText     ShownType = "text"
	ShownCopy     ShownType = "copy"     // a text that the payer has to enter elsewhere
	ShownAmount   ShownType = "amount"   // decimal text
	ShownQR       ShownType = "qr"       // the text inside a QR code
	ShownBarcode  ShownType = "barcode"  // the digits of a barcode
	ShownLink     ShownType = "link"     // an address of an app or a page
	ShownDeadline ShownType = "deadline" // a time, RFC 3339
	ShownImage    ShownType = "image"    // a PNG, base64
)

// Text is a message's key in the page's text catalogues.
type Text string

// The messages that the service sends.
const (
	TextDeclined          Text = "declined"          // with Reason; the payer may try again
	TextTooManyDeclines   Text = "too_many_declines" // no attempt is left
	TextPaid              Text = "paid"
	TextCancelled         Text = "cancelled"
	TextExpired           Text = "expired"
	TextProcessing        Text = "processing"         // the provider has not answered yet
	TextMoreNeeded        Text = "more_needed"        // on a wait screen: a second form is to be filled in
	TextPayElsewhere      Text = "pay_elsewhere"      // on a wait screen: the payer pays elsewhere, with what is shown
	TextPartlyPaid        Text = "partly_paid"        // on a wait screen: a part of what is due elsewhere has arrived
	TextCheckingPayment   Text = "checking_payment"   // the time to pay elsewhere is over; the provider is asked whether it was paid
	TextPaidTooLittle     Text = "paid_too_little"    // declined, with Reason, though a part has arrived
	TextPaidTooLate       Text = "paid_too_late"      // declined, with Reason, though the payment arrived after its time
	TextContinueElsewhere Text = "continue_elsewhere" // on a go screen to a provider: the payer has a step to take there
	TextUnknownSession    Text = "unknown_session"
	TextTechnicalProblem  Text = "technical_problem"
)

// Message is one message to the payer. Reason is why a payment was declined, or what arrived.
type Message struct {
	Text   Text    `json:"text"`
	Reason *Reason `json:"reason,omitempty"`
}

// Method is one way to pay, with the fields the payer still has to fill.
type Method struct {
	ID     string        `json:"id"`
	Label  string        `json:"label"` // key of its name in the page's texts
	Icon   string        `json:"icon"`  // of the page's own
	Group  string        `json:"group"`
	Note   string        `json:"note,omitempty"` // key of one line of help
	Action method.Action `json:"action"`
	Fields []Field       `json:"fields"`
	Saved  []Saved       `json:"saved,omitempty"` // cards to choose from, beside another one
}

// Saved is a saved card, with the fields that are still needed for it.
type Saved struct {
	ID     string  `json:"id"`     // for PayRequest.Saved
	Mask   string  `json:"mask"`   // 6 digits, 6 stars, 4 digits
	Expiry string  `json:"expiry"` // MM/YYYY
	Fields []Field `json:"fields"`
}

// Field is one input, as method.Input describes it. Its label, its hint and its error texts are found in the page's
// catalogues.
type Field struct {
	ID           string           `json:"id"` // the input's id, e.g. "payer_card"
	Kind         method.FieldKind `json:"kind"`
	Label        string           `json:"label,omitempty"` // key of its texts; absent: ID
	Hint         string           `json:"hint,omitempty"`  // key of a text
	Required     bool             `json:"required,omitempty"`
	Sealed       bool             `json:"sealed,omitempty"` // goes into the sealed card, never into Fields
	Min          int              `json:"min,omitempty"`    // fewest characters
	Max          int              `json:"max,omitempty"`    // most characters
	Check        method.Check     `json:"check,omitempty"`
	Pattern      string           `json:"pattern,omitempty"` // a regular expression that the whole value matches
	Format       method.Format    `json:"format,omitempty"`
	Mask         string           `json:"mask,omitempty"` // # stands for a character
	Autocomplete string           `json:"autocomplete,omitempty"`
	InputMode    string           `json:"inputmode,omitempty"`
	Options      []Option         `json:"options,omitempty"`
	OptionsBy    string           `json:"options_by,omitempty"` // the field on whose value the options depend
	Value        string           `json:"value,omitempty"`      // what to start with
	Country      string           `json:"country,omitempty"`    // of a state field when no country field is shown
}

// Option is one value to choose from, offered for the values By of the field OptionsBy; absent: for all.
type Option struct {
	Value string   `json:"value"`
	By    []string `json:"by,omitempty"`
}

// Seal is what the page needs to seal card data (RFC 9180,
// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, base mode).
type Seal struct {
	KeyID string `json:"key_id"`
	Key   string `json:"key"`  // uncompressed P-256 point, base64url without padding
	Info  string `json:"info"` // UTF-8 text, used as both info and aad
}

// Go is a departure. Target is the browsing context: _self, _parent or _top.
type Go struct {
	URL    string `json:"url"`
	Target string `json:"target"`
}
