package simulator

import (
	"time"
)

// Fault is what goes wrong with an operation.
type Fault string

// The faults. Where it is not said otherwise, the provider executes the request.
const (
	NoFault         Fault = ""
	NeverResponds   Fault = "never_responds"
	RespondsLate    Fault = "responds_late"    // after lateness
	ReportsTwice    Fault = "reports_twice"    // in the response, and in a notice at the same moment
	DropsConnection Fault = "drops_connection" // before the response
	LosesRequest    Fault = "loses_request"    // nothing is executed, and the connection dropped
	NoticeFirst     Fault = "notice_first"     // it is delivered before the response
	NoticesDoubled  Fault = "notices_doubled"
	NoticesDisorder Fault = "notices_out_of_order" // the first one comes after later ones
	BrokenJSON      Fault = "broken_json"
	WrongSignature  Fault = "wrong_signature"   // of the first try of each notice; the next is right
	TooManyRequests Fault = "too_many_requests" // status 429 with Retry-After, nothing is executed
	ServerError     Fault = "server_error"      // status 500
	SlowDrip        Fault = "slow_drip"         // a byte a second
	FailsLater      Fault = "fails_later"       // an hour after a charge, refund or payout was approved
	OtherAmount     Fault = "other_amount"      // a minor unit less than was asked for
	FoundLate       Fault = "found_late"        // status 502; look-ups find it foundLate later
)

// faultsExplained are all faults, and what happens.
var faultsExplained = []struct {
	Fault Fault
	Means string
}{
	{NeverResponds, "is executed, and there is never a response"},
	{RespondsLate, "is executed, and the response comes after 25 s"},
	{ReportsTwice, "is reported by the response and by a notice at the same moment"},
	{DropsConnection, "is executed, and the connection dropped"},
	{LosesRequest, "is not executed, and the connection dropped; a repeat is executed"},
	{NoticeFirst, "the notice is delivered before the response"},
	{NoticesDoubled, "each notice is sent twice at once"},
	{NoticesDisorder, "the first notice is sent after later ones"},
	{BrokenJSON, "is executed, and half of the response is sent"},
	{WrongSignature, "each notice is sent with a wrong signature first"},
	{TooManyRequests, "is not executed: status 429 with Retry-After; a repeat is executed"},
	{ServerError, "is executed, and the response is status 500"},
	{SlowDrip, "is executed, and the response comes at a byte a second"},
	{FailsLater, "a charge, refund or payout is approved, and fails an hour later"},
	{OtherAmount, "a minor unit less than asked for is moved"},
	{FoundLate, "is executed, and the response is status 502; look-ups find it after 5 min, and a repeat before that is " +
		"executed again"},
}

// Faults returns all faults.
func Faults() (all []Fault) {
	for _, f := range faultsExplained {
		all = append(all, f.Fault)
	}
	return all
}

const (
	lateness   = 25 * time.Second // longer than callers wait
	failsAfter = time.Hour
	foundLate  = 5 * time.Minute
)
