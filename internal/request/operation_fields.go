package request

import (
	"fmt"
	"slices"

	"checkout/internal/method"
	"checkout/internal/money"
)

// reqToken reads req_token, which is ignored if card_token is sent.
func (d *Draft) reqToken(in Reader, r *Session) {
	if !in.Has("card_token") {
		r.ReqToken = in.Flag("req_token")
	}
}

// maxCardTokens is how many saved cards a session may offer: as many documents as a store can read at once.
const maxCardTokens = 100

// cardTokens reads card_token, without repeated tokens.
func (d *Draft) cardTokens(in Reader, r *Session) {
	sent := in.list("card_token")
	for i := range sent.items {
		if token := sent.required(i, isCardToken); token != "" && !slices.Contains(r.CardTokens, token) {
			r.CardTokens = append(r.CardTokens, token)
		}
	}
	switch {
	case len(r.CardTokens) > maxCardTokens:
		in.Fail("card_token", method.NotValid(fmt.Sprintf("It should have at most %d cards.", maxCardTokens)))
	case r.Operation == method.Credit && len(r.CardTokens) > 1:
		in.Fail("card_token", method.NotValid("A credit takes one card."))
	}
}

func (d *Draft) formID(in Reader, r *Session) {
	if r.FormID = in.Text("form_id", IsUUID); r.FormID != "" && !d.known.HasForm(r.FormID) {
		in.depends(ofMerchant).Fail("form_id", method.TextNotChoice)
	}
}

// schedule reads schedule_id. It is ignored without recurring_init, as are the three fields below.
func (d *Draft) schedule(in Reader, r *Session) {
	if !r.RecurringInit {
		return
	}
	if r.ScheduleID = in.Text("schedule_id"); r.ScheduleID != "" && !d.known.HasSchedule(r.ScheduleID) {
		in.depends(ofMerchant).Fail("schedule_id", method.TextNotChoice)
	}
}

func (d *Draft) scheduleStart(in Reader, r *Session) {
	if r.RecurringInit {
		r.ScheduleStart = in.Text("schedule_start_date", notPastDay(d.now))
	}
}

func (d *Draft) scheduleAmount(in Reader, r *Session) {
	if currency, found := money.Find(r.Order.Currency); found && r.RecurringInit {
		r.ScheduleAmount = ReadAmount(in.Amount("payment_schedule_amount", AmountIn(currency)), currency)
	}
}

// consent reads recurring_consent_required. It and the two fields above are not valid without a schedule_id
// (protocol.md, Fields of operations).
func (d *Draft) consent(in Reader, r *Session) {
	if !r.RecurringInit {
		return
	}
	r.Consent = in.Flag("recurring_consent_required")
	if !in.Has("schedule_id") && (in.Has("schedule_start_date") || in.Has("payment_schedule_amount") || r.Consent) {
		in.Fail("schedule_id", method.TextBlank)
	}
}
