package handle

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Days as people write them.
const (
	dayForms = `\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?|\d{1,2}/\d{1,2}/\d{4}|` +
		`\d{1,2}(?:st|nd|rd|th)?\.?\s(?:` + months + `)[a-z]*\.?(?:,?\s\d{4})?|` +
		`(?:` + months + `)[a-z]*\.?\s\d{1,2}(?:st|nd|rd|th)?(?:,?\s\d{4})?|today|yesterday`
	months = `jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec`
)

var (
	dayAlone  = expression(`(?i)^(?:on\s+)?(` + dayForms + `)$`)
	dayBehind = expression(`(?i)^(.*\S)(?:,?\s+)(?:on\s+)?(` + dayForms + `)$`)
	dayBefore = expression(`(?i)^(` + dayForms + `)(?:,?\s+)(\S.*)$`)
	numbers   = expression(`\d+`)
	monthName = expression(`(?i)` + months)
)

// Day is a day in the zone of the person.
type Day struct{ From, Until time.Time }

// splitDay takes a day from a text, which stands alone, behind something or before it. If the day can be read as two,
// the text stays whole, and ask says how to write them.
func splitDay(text string, now time.Time) (rest string, day Day, ask string) {
	var written string
	if parts := dayAlone().FindStringSubmatch(text); parts != nil {
		rest, written = "", parts[1]
	} else if parts := dayBehind().FindStringSubmatch(text); parts != nil {
		rest, written = parts[1], parts[2]
	} else if parts := dayBefore().FindStringSubmatch(text); parts != nil {
		rest, written = parts[2], parts[1]
	} else {
		return text, Day{}, ""
	}
	switch days := parseDay(strings.ToLower(written), now); len(days) {
	case 1:
		rest = strings.TrimRight(strings.TrimSuffix(rest, " on"), ", ")
		return rest, Day{days[0], days[0].AddDate(0, 0, 1)}, ""
	case 2:
		ask = fmt.Sprintf("%s can be %s or %s. Write %s or %s.", written, days[0].Format("2 January"),
			days[1].Format("2 January"), days[0].Format(time.DateOnly), days[1].Format(time.DateOnly))
	}
	return text, Day{}, ask
}

// parseDay returns the day that a text names, none if there is no such day, and both if it can be read as two.
func parseDay(text string, now time.Time) (days []time.Time) {
	switch text {
	case "today":
		return dayOf(now.Year(), int(now.Month()), now.Day(), now)
	case "yesterday":
		return dayOf(now.Year(), int(now.Month()), now.Day()-1, now)
	}
	var n [3]int
	found := numbers().FindAllString(text, 3)
	for i, digits := range found {
		n[i], _ = strconv.Atoi(digits) // at most four digits
	}
	if name := monthName().FindString(text); name != "" {
		month := strings.Index(months, name)/len("jan|") + 1
		return latestDay(n[1], month, n[0], now)
	}
	switch {
	case len(found[0]) == 4:
		return checkedDay(n[0], n[1], n[2], now)
	case strings.Contains(text, "."):
		return latestDay(n[2], n[1], n[0], now)
	case n[0] == n[1]:
		return checkedDay(n[2], n[1], n[0], now)
	}
	return append(checkedDay(n[2], n[1], n[0], now), checkedDay(n[2], n[0], n[1], now)...)
}

// latestDay returns a day; without a year the latest one that is not after now.
func latestDay(year, month, day int, now time.Time) []time.Time {
	if year > 0 {
		return checkedDay(year, month, day, now)
	}
	for year = now.Year(); year > now.Year()-8; year-- { // 29 February is in every eighth year at least
		if days := checkedDay(year, month, day, now); days != nil && !days[0].After(now) {
			return days
		}
	}
	return nil
}

// checkedDay returns the beginning of a day in the zone of now, none if the month has no such day.
func checkedDay(year, month, day int, now time.Time) []time.Time {
	if month < 1 || month > 12 || day < 1 || day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return nil
	}
	return dayOf(year, month, day, now)
}

func dayOf(year, month, day int, now time.Time) []time.Time {
	return []time.Time{time.Date(year, time.Month(month), day, 0, 0, 0, 0, now.Location())}
}
