package screen

import (
	"cmp"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// BrandOf returns a merchant's branding for the page, nil if there is none.
func BrandOf(b settings.Branding) *Brand {
	brand := Brand{
		Logo:       b.LogoAddress(),
		Accent:     b.Accent,
		LegalName:  b.LegalName,
		TermsURL:   b.TermsURL,
		PrivacyURL: b.PrivacyURL,
		Support:    b.Support,
	}
	if brand == (Brand{}) {
		return nil
	}
	return &brand
}

// OrderOf returns an order for the page, without VAT.
func OrderOf(o request.Order) *Order {
	return &Order{
		Number:      o.Number,
		Description: o.Description,
		Amount:      Amount(o.Amount.Value),
		Currency:    o.Currency,
		Decimals:    request.CurrencyOf(o).Exponent,
	}
}

// ScheduleOf returns the schedule of a session's later charges, nil if it has none.
func ScheduleOf(m *settings.Merchant, req *request.Session, createdAt time.Time) *Schedule {
	schedule := m.ScheduleNamed(req.ScheduleID)
	if schedule == nil {
		return nil
	}
	from, first := schedule.Start(createdAt, req.ScheduleStart)
	return &Schedule{
		Amount:   Amount(cmp.Or(req.ScheduleAmount, req.Order.Amount).Value),
		Interval: schedule.IntervalLength,
		Unit:     schedule.IntervalUnit,
		Count:    schedule.PaymentsCount,
		Start:    schedule.Date(from, first).Format(time.DateOnly),
	}
}

// PaymentOf returns a successful payment for the page. mask is "" where no card was charged.
func PaymentOf(at time.Time, id, mask string) *Payment {
	return &Payment{At: at.UTC().Format(time.RFC3339), Method: MethodName(id), Mask: mask}
}

// MethodName returns the key of a method's name in the page's texts.
func MethodName(id string) string {
	m, _ := method.Find(id)
	return cmp.Or(m.Text, id)
}

// ShowDeadline returns until when the payer can pay.
func ShowDeadline(until time.Time) Shown {
	return Shown{ID: "pay_until", Type: ShownDeadline, Value: until.UTC().Format(time.RFC3339)}
}

// ShowAmount returns an amount to be shown under an id.
func ShowAmount(id string, amount money.Amount) Shown {
	return Shown{ID: id, Type: ShownAmount, Value: amount.String(), Currency: amount.Currency().Code}
}
