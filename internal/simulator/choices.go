package simulator

// choices are the behaviours by card or amount. Every amount that ends in another number, and every other card, is
// approved.
var choices = []choice{
	{amount: "905", behaviour: behaviour{decline: "insufficient_funds"}},
	{amount: "906", behaviour: behaviour{decline: "do_not_honor"}},
	{amount: "907", behaviour: behaviour{decline: "try_again_later"}},
	{amount: "908", behaviour: behaviour{decline: "card_stolen"}},
	{amount: "909", behaviour: behaviour{waits: true}},
	{amount: "921", behaviour: behaviour{fault: NeverResponds}},
	{amount: "922", behaviour: behaviour{fault: RespondsLate}},
	{amount: "923", behaviour: behaviour{fault: ReportsTwice}},
	{amount: "924", behaviour: behaviour{fault: DropsConnection}},
	{amount: "925", behaviour: behaviour{fault: LosesRequest}},
	{amount: "926", behaviour: behaviour{fault: NoticeFirst}},
	{amount: "927", behaviour: behaviour{fault: NoticesDoubled}},
	{amount: "928", behaviour: behaviour{fault: NoticesDisorder}},
	{amount: "929", behaviour: behaviour{fault: BrokenJSON}},
	{amount: "930", behaviour: behaviour{fault: WrongSignature}},
	{amount: "931", behaviour: behaviour{fault: TooManyRequests}},
	{amount: "932", behaviour: behaviour{fault: ServerError}},
	{amount: "933", behaviour: behaviour{fault: SlowDrip}},
	{amount: "934", behaviour: behaviour{fault: FailsLater}},
	{amount: "935", behaviour: behaviour{fault: OtherAmount}},
	{card: "4000000000009995", behaviour: behaviour{decline: "insufficient_funds"}},
	{card: "4000000000000002", behaviour: behaviour{decline: "do_not_honor"}},
	{card: "4000000000009979", behaviour: behaviour{decline: "card_stolen"}},
	{card: "4000000000000119", behaviour: behaviour{decline: "try_again_later"}},
}
