package simulator

// choice is a behaviour that a caller chooses by an amount or a card.
type choice struct {
	amount string // the last three digits of the amount in minor units, such as 905 for 9.05
	card   string // of a request that has its number
	behaviour
}

// choices are the behaviours by amount and card. Every amount that ends in another number, and every other card, is
// approved. Amounts choose for captures and refunds, too.
var choices = []choice{
	{"905", "4000000000009995", behaviour{decline: "insufficient_funds"}},
	{"906", "4000000000000002", behaviour{decline: "do_not_honor"}},
	{"907", "4000000000000119", behaviour{decline: "try_again_later"}},
	{"908", "4000000000009979", behaviour{decline: "card_stolen"}},
	{"909", "4000000000009094", behaviour{waits: true}},
	{"921", "4000000000009219", behaviour{fault: NeverResponds}},
	{"922", "4000000000009227", behaviour{fault: RespondsLate}},
	{"923", "4000000000009235", behaviour{fault: ReportsTwice}},
	{"924", "4000000000009243", behaviour{fault: DropsConnection}},
	{"925", "4000000000009250", behaviour{fault: LosesRequest}},
	{"926", "4000000000009268", behaviour{fault: NoticeFirst}},
	{"927", "4000000000009276", behaviour{fault: NoticesDoubled}},
	{"928", "4000000000009284", behaviour{fault: NoticesDisorder}},
	{"929", "4000000000009292", behaviour{fault: BrokenJSON}},
	{"930", "4000000000009300", behaviour{fault: WrongSignature}},
	{"931", "4000000000009318", behaviour{fault: TooManyRequests}},
	{"932", "4000000000009326", behaviour{fault: ServerError}},
	{"933", "4000000000009334", behaviour{fault: SlowDrip}},
	{"934", "4000000000009342", behaviour{fault: FailsLater}},
	{"935", "4000000000009359", behaviour{fault: OtherAmount}},
	{"936", "4000000000009367", behaviour{fault: FoundLate}},
}

// happens says what happens to an operation.
func (c choice) happens() string {
	switch {
	case c.decline != "":
		return "is declined: " + c.decline
	case c.waits:
		return "waits for the provider, which approves it after 30 s"
	}
	for _, f := range faultsExplained {
		if f.Fault == c.fault {
			return f.Means
		}
	}
	return ""
}
