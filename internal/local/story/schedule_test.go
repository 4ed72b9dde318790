package story

import (
	"checkout/internal/settings"
)

// daily adds a schedule with a payment every day, without an end.
func daily(change func(*settings.Schedule)) func(*settings.Merchant) {
	return monthly(func(s *settings.Schedule) {
		s.IntervalUnit, s.PaymentsCount = settings.UnitDay, 0
		if change != nil {
			change(s)
		}
	})
}
