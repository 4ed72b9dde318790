package demo

// TestCard is a row of the table of test cards: what the payer types, and what happens then.
type TestCard struct {
	Number  string // any security code of three digits goes with it
	Expiry  string // MM/YY, which chooses the outcome, or any
	Happens string
}

const (
	testCard   = "4111 1111 1111 1111"
	payoutCard = "4601 5418 3377 6519"
	anyDate    = "any"
)

// TestCards are the sandbox's test cards. Every other card, and every other date, is declined.
var TestCards = []TestCard{
	{testCard, "01/38", "Paid at once."},
	{testCard, "02/38", "Declined."},
	{testCard, "03/38", "Only authorised; a later capture is declined."},
	{testCard, "05/38", "3-D Secure, then paid."},
	{testCard, "06/38", "3-D Secure, then declined."},
	{testCard, "12/38", "To the provider's page and back, then paid."},
	{testCard, "12/39", "To the provider's page and back, then declined."},
	{testCard, "05/39", "Declined for now: another try may succeed."},
	{testCard, "03/39", "The provider responds and reports the outcome twice: settled once."},
	{testCard, "04/39", "Paid, but the provider's response can't be read."},
	{testCard, "01/39", "Paid, but the provider never responds."},
	{testCard, "02/39", "Paid, but the provider responds after the time limit."},
	{testCard, "06/39", "The first request is lost, the second one paid."},
	{testCard, "07/39", "Declined, but the provider never responds."},
	{testCard, "01/40", "Paid; a later capture succeeds, but gets no response."},
	{testCard, "02/40", "Paid; a later refund succeeds, but gets no response."},
	{testCard, "03/40", "Paid; a later refund gets its response after the time limit."},
	{testCard, "04/40", "Paid; a later refund is declined."},
	{testCard, "05/40", "Paid; a later void is declined."},
	{testCard, "06/40", "Paid; a later void succeeds, but gets no response."},
	{testCard, "07/40", "Paid; a later capture, void or refund succeeds, but its response can't be read."},
	{testCard, "08/40", "Paid; a later capture, void or refund is lost on its way, and sent again."},
	{testCard, "09/40", "Paid; a later capture, void or refund is reported twice beside its response."},
	{testCard, "01/41", "Paid; a later recurring charge is declined for now, each time."},
	{testCard, "02/41", "Paid; a later recurring charge is declined for now, but only the first of a chain: a retry " +
		"is paid."},
	{payoutCard, anyDate, "Takes a payout (credit)."},
}

// Pair returns a value of the card with its name, for the page.
func (TestCard) Pair(name, value string) pair { return pair{name, value} }

// Dated reports whether the card is one of a certain date.
func (c TestCard) Dated() bool { return c.Expiry != anyDate }
