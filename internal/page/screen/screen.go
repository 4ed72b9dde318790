// Package screen has the data that the checkout page gets: what to show, which fields to fill in, and why a payment was
// declined. The page draws this data and knows no method.
package screen

import (
	"checkout/internal/method"
	"checkout/internal/reason"
	"checkout/internal/settings"
)

// Screen is what the checkout page has to show now. The page draws it and decides nothing, so a new method or a new
// outcome needs no change of the page.
type Screen struct {
	Kind      Kind             `json:"kind"`
	Operation method.Operation `json:"operation,omitempty"` // tells whether the payer pays, receives or sends
	Language  string           `json:"language"`            // of the texts, e.g. "en"
	// The session names no language, so that the first of the browser's that the page has goes before Language.
	BrowserLanguage bool     `json:"browser_language,omitempty"`
	Merchant        string   `json:"merchant,omitempty"` // the name shown to the payer
	Branding        *Brand   `json:"branding,omitempty"` // how the page looks for this merchant's payers
	Origins         []string `json:"origins,omitempty"`  // that may show the page in a frame; absent: any
	Test            bool     `json:"test,omitempty"`     // opened with the test key: no real money
	Order           *Order   `json:"order,omitempty"`
	Payee           string   `json:"payee,omitempty"`   // the name of who receives a transfer or payout, if it is known
	Payment         *Payment `json:"payment,omitempty"` // what was paid with, once the session is paid
	Items           []Item   `json:"items,omitempty"`   // on a form screen: the cart, if it was sent
	// Totals are what the order's amount is made of. They add up to it, or are absent.
	Totals  []Total  `json:"totals,omitempty"`
	LastTry bool     `json:"last_try,omitempty"` // on a form screen after a decline: no attempt is left after the next one
	Message *Message `json:"message,omitempty"`
	Attempt string   `json:"attempt,omitempty"` // Attempt of the latest PayRequest that was accepted
	Actions []Action `json:"actions,omitempty"` // what the payer can do here beside paying

	// When a form expires, or on a wait screen with Show until when the payer can pay (RFC 3339, UTC); how long that is
	// from now, and the whole lifetime of a form, in milliseconds.
	ExpiresAt   string `json:"expires_at,omitempty"`
	ExpiresInMS int64  `json:"expires_in_ms,omitempty"`
	LifetimeMS  int64  `json:"lifetime_ms,omitempty"`
	// MoreTimeMS is for how long from now the payer of a form can ask for more time: POST more-time. Absent: not any more.
	MoreTimeMS int64 `json:"more_time_ms,omitempty"`

	Methods []Method `json:"methods,omitempty"` // on a form screen, at least one
	Seal    *Seal    `json:"seal,omitempty"`    // on a form screen with sealed fields

	Schedule *Schedule `json:"schedule,omitempty"` // on a form screen of a payment with scheduled charges after it
	Show     []Shown   `json:"show,omitempty"`     // on a wait screen: what the payer needs elsewhere, such as an address
	Fields   []Field   `json:"fields,omitempty"`   // on a wait screen: a second form
	Step     string    `json:"step,omitempty"`     // the number of the second form

	PollMS int64 `json:"poll_ms,omitempty"` // on a wait screen: request the screen again after so many milliseconds
	Go     *Go   `json:"go,omitempty"`      // on a go screen; on a message screen the link to the shop, if there is one
}

// Kind says what the page does with a screen.
type Kind string

// The kinds of screens.
const (
	KindForm    Kind = "form"    // choose a method, fill its fields, pay or close
	KindWait    Kind = "wait"    // request the screen again after PollMS
	KindGo      Kind = "go"      // redirect to Go.URL
	KindMessage Kind = "message" // show Message; the payer can do nothing else here
)

// Order is what is being paid for.
type Order struct {
	Number      string `json:"number"`
	Description string `json:"description"`
	Amount      string `json:"amount"`   // decimal text with exactly Decimals digits after the point
	Currency    string `json:"currency"` // ISO 4217 or a crypto code
	Decimals    int    `json:"decimals"`
	// VAT is the part of Amount that is VAT: of the payer's country, or of each country that the payer can choose.
	VAT []VAT `json:"vat,omitempty"`
}

// Payment is the payment that succeeded. The card number is never more than its mask.
type Payment struct {
	At     string `json:"at"`             // RFC 3339, UTC
	Method string `json:"method"`         // key of the method's name, as Method.Label
	Mask   string `json:"mask,omitempty"` // of a card: 6 digits, 6 stars, 4 digits
}

// Brand is the part of the merchant's Branding that the page needs.
type Brand struct {
	Logo       string `json:"logo,omitempty"`   // https address of a picture, or a path of the page
	Accent     string `json:"accent,omitempty"` // #rrggbb
	LegalName  string `json:"legal_name,omitempty"`
	TermsURL   string `json:"terms_url,omitempty"`
	PrivacyURL string `json:"privacy_url,omitempty"`

	Support settings.Support `json:"support,omitzero"` // where the shop can be reached
}

// Item is one item of the cart, in the merchant's own texts.
type Item struct {
	Name     string `json:"name"`
	Quantity string `json:"quantity,omitempty"`
	Price    string `json:"price,omitempty"`
	Currency string `json:"currency,omitempty"` // of Price; absent: the order's
	Total    string `json:"total,omitempty"`    // of the line, as text like the order's amount
	Image    string `json:"image,omitempty"`    // https address, of a host that the merchant allows
}

// Total is one amount of those that the order's amount is made of, as text like it. A discount is below 0.
type Total struct {
	Kind   TotalKind `json:"kind"`
	Amount string    `json:"amount"`
}

// TotalKind says what a Total is.
type TotalKind string

// The kinds of totals, in the order in which they are shown.
const (
	TotalItems    TotalKind = "items"
	TotalDelivery TotalKind = "delivery"
	TotalDiscount TotalKind = "discount"
	TotalVAT      TotalKind = "vat"
	TotalOrder    TotalKind = "total"
)

// VAT is the VAT of one country, as text like the order's amount.
type VAT struct {
	Country string `json:"country"`
	Amount  string `json:"amount"`
}

// Schedule is the plan of charges that the payer agrees to.
type Schedule struct {
	Amount   string                `json:"amount"` // text like the order's
	Interval int                   `json:"interval"`
	Unit     settings.IntervalUnit `json:"unit"`
	Count    int                   `json:"count,omitempty"` // 0: until further notice
	Start    string                `json:"start"`           // the day of the first charge, yyyy-mm-dd
}

// Action is something that the payer can do on a screen.
type Action string

// The actions.
const (
	ActionCancel  Action = "cancel"  // cancel and return to the shop: POST cancel
	ActionLeave   Action = "leave"   // return to the shop while the session goes on: POST cancel
	ActionPaid    Action = "paid"    // confirm the payment elsewhere: request the next screen immediately
	ActionAnother Action = "another" // choose another way to pay
)

// Shown is one value that the payer needs. ID is the key of its label in the page's texts.
type Shown struct {
	ID       string    `json:"id"` // such as crypto_address, amount_missing
	Type     ShownType `json:"type"`
	Value    string    `json:"value"`
	Currency string    `json:"currency,omitempty"` // of an amount
}

// ShownType says how a Shown is drawn. The page draws an unknown type as a text.
type ShownType string

// The types of shown values.
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

// Text is the key of a message in the page's texts.
type Text string

// The messages that the service sends.
const (
	TextDeclined           Text = "declined"           // with Reason; the payer may try again
	TextDeclinedElsewhere  Text = "declined_elsewhere" // what to pay with elsewhere had been shown: money may be under way
	TextTooManyDeclines    Text = "too_many_declines"  // no attempt is left
	TextPaid               Text = "paid"
	TextCancelled          Text = "cancelled"
	TextCancelledElsewhere Text = "cancelled_elsewhere" // the same of a session that the payer has left
	TextExpired            Text = "expired"
	TextProcessing         Text = "processing"         // there is no response from the provider yet
	TextMoreNeeded         Text = "more_needed"        // on a wait screen: there is a second form to fill in
	TextPayElsewhere       Text = "pay_elsewhere"      // on a wait screen: the payer pays elsewhere, with what is shown
	TextPartlyPaid         Text = "partly_paid"        // on a wait screen: a part of the amount has arrived
	TextCheckingPayment    Text = "checking_payment"   // the time to pay elsewhere is over, and the payment is looked up
	TextCheckingOutcome    Text = "checking_outcome"   // there is no outcome for so long that the payer may leave
	TextCheckingFirst      Text = "checking_first"     // a payment that was declined may have gone through; it is checked
	TextEndingPayment      Text = "ending_payment"     // the payer wants to end it, and it is not known yet whether it is
	TextPaidTooLittle      Text = "paid_too_little"    // declined, with Reason: only a part has arrived
	TextPaidTooLate        Text = "paid_too_late"      // declined, with Reason: the payment arrived too late
	TextContinueElsewhere  Text = "continue_elsewhere" // on a go screen to a provider's page
	TextPayoutUnderWay     Text = "payout_under_way"   // on a wait screen: the provider has accepted a payout
	TextScanQR             Text = "scan_qr"            // on a wait screen, as those below: the payer scans a QR code,
	TextConfirmInApp       Text = "confirm_in_app"     // confirms in an app or on a phone,
	TextOpenLink           Text = "open_link"          // opens a link that was sent,
	TextTransferDetails    Text = "transfer_details"   // makes a bank transfer,
	TextVoucherIssued      Text = "voucher_issued"     // pays with a voucher,
	TextEnterCode          Text = "enter_code"         // fills in a code,
	TextCodeWrong          Text = "code_wrong"         // and again, because the code was wrong
	TextTechnicalProblem   Text = "technical_problem"
)

// WaitTexts are the texts that a provider may choose for a payer who waits.
var WaitTexts = []Text{
	TextScanQR, TextConfirmInApp, TextTransferDetails, TextVoucherIssued, TextOpenLink, TextEnterCode, TextCodeWrong,
	TextPayElsewhere,
}

// Message is a message to the payer. Reason says why a payment was declined, or which amount has arrived.
type Message struct {
	Text   Text           `json:"text"`
	Reason *reason.Reason `json:"reason,omitempty"`
}

// Method is a method that the payer can choose, with the fields to fill in.
type Method struct {
	ID     string        `json:"id"`
	Label  string        `json:"label"`          // key of its name in the page's texts
	Name   string        `json:"name,omitempty"` // the merchant's own name of it, before the text of Label
	Icon   string        `json:"icon"`           // name of one of the page's icons
	Group  string        `json:"group"`
	Note   string        `json:"note,omitempty"` // key of one line of help
	Action method.Action `json:"action"`
	Fields []Field       `json:"fields"`
	Saved  []Saved       `json:"saved,omitempty"`  // cards to choose from, beside another one
	Save   bool          `json:"save,omitempty"`   // the payer may have another card saved
	Wallet *Wallet       `json:"wallet,omitempty"` // with method.ActionWallet: what the browser needs to open it

	// Countries are those whose payers it is for, while the payer's country is not known; absent: all.
	Countries []string `json:"countries,omitempty"`
	Networks  []string `json:"networks,omitempty"` // of cards that it takes; absent: not known
}

// Saved is a saved card, with the fields to fill in for it.
type Saved struct {
	ID     string  `json:"id"`     // sent back as Saved of the PayRequest
	Mask   string  `json:"mask"`   // 6 digits, 6 stars, 4 digits
	Expiry string  `json:"expiry"` // MM/YYYY
	Fields []Field `json:"fields"`
	// Removable says that the payer may have the card removed: POST remove-card.
	Removable bool `json:"removable,omitempty"`
}

// Field is one input, as method.Input describes it. Label and Hint are keys in the page's texts.
type Field struct {
	ID    string           `json:"id"` // the input's id, e.g. "payer_card"
	Kind  method.FieldKind `json:"kind"`
	Label string           `json:"label,omitempty"` // absent: ID is the key
	// LabelTexts are the merchant's or the provider's own label, by language, instead of that of the page's texts.
	LabelTexts map[string]string `json:"label_texts,omitempty"`
	// Ordered fields stand first on the page, in their order here; other fields in the page's own.
	Ordered      bool          `json:"ordered,omitempty"`
	Hint         string        `json:"hint,omitempty"`
	Required     bool          `json:"required,omitempty"`
	Sealed       bool          `json:"sealed,omitempty"` // is sent encrypted with the card, never as plain text
	Min          int           `json:"min,omitempty"`    // fewest characters
	Max          int           `json:"max,omitempty"`    // most characters
	Check        method.Check  `json:"check,omitempty"`
	Pattern      string        `json:"pattern,omitempty"` // a regular expression that the whole value matches
	Format       method.Format `json:"format,omitempty"`
	Mask         string        `json:"mask,omitempty"` // # stands for a character
	Autocomplete string        `json:"autocomplete,omitempty"`
	InputMode    string        `json:"inputmode,omitempty"`
	Options      []Option      `json:"options,omitempty"`
	OptionsBy    string        `json:"options_by,omitempty"` // the field on whose value options and Writings depend
	Value        string        `json:"value,omitempty"`      // the initial value
	Unusual      bool          `json:"unusual,omitempty"`    // Value is taken although it breaks Check, once it was marked
	Country      string        `json:"country,omitempty"`    // of what countries write in their own way
	Told         bool          `json:"told,omitempty"`       // the wallet asks for it, so that the page need not

	Writing  *method.Writing           `json:"writing,omitempty"`  // absent: any text
	Writings map[string]method.Writing `json:"writings,omitempty"` // in place of it, by the value of OptionsBy
}

// Option is one value that the payer can choose in a field.
type Option struct {
	Value string   `json:"value"`
	By    []string `json:"by,omitempty"` // values of the field OptionsBy with which it is offered; absent: all
	// LabelTexts are the provider's own label, by language, instead of that of the page's texts.
	LabelTexts map[string]string `json:"label_texts,omitempty"`
}

// Seal is what the page needs to encrypt card data (RFC 9180, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, base
// mode).
type Seal struct {
	KeyID string `json:"key_id"`
	Key   string `json:"key"`  // uncompressed P-256 point, base64url without padding
	Info  string `json:"info"` // UTF-8 text, used as both info and aad
}

// Go is a redirect of the payer's browser.
type Go struct {
	URL    string `json:"url"`
	Target string `json:"target"` // the browsing context: _self, _parent or _top
}
