package handle

import (
	"slices"
	"strings"

	"checkout/internal/operator/listing"
)

// amounts are what a text can mean as an amount: 1,234 is 1234 or 1.234.
type amounts struct {
	texts      []string // with a point before the decimals, and without grouping
	currencies []string // one of these; none: any
}

// signs are the signs of money that people write, with the currencies that have them. A longer one comes first.
var signs = []struct {
	sign       string
	currencies []string
}{
	{"R$", []string{"BRL"}}, {"A$", []string{"AUD"}}, {"C$", []string{"CAD"}}, {"US$", []string{"USD"}},
	{"$", []string{"USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "ARS", "CLP", "COP"}},
	{"€", []string{"EUR"}}, {"£", []string{"GBP"}}, {"¥", []string{"JPY", "CNY"}}, {"₹", []string{"INR"}},
	{"₺", []string{"TRY"}}, {"₴", []string{"UAH"}}, {"₦", []string{"NGN"}}, {"₫", []string{"VND"}},
	{"zł", []string{"PLN"}}, {"Kč", []string{"CZK"}}, {"kr", []string{"SEK", "NOK", "DKK", "ISK"}},
}

var (
	codeForm   = expression(`^[A-Za-z]{3,10}$`)
	numberForm = expression(`^\d{1,15}(?:[.,]\d{1,18})?$`)
	groupForm  = expression(`^\d{1,3}(?:(,\d{3})+(?:\.\d{1,18})?|(\.\d{3})+(?:,\d{1,18})?|(?:['’ \x{a0}\x{202f}]\d{3})+` +
		`(?:[.,]\d{1,18})?)$`)
)

// parseAmount reads an amount with its currency before or behind it, as a code or a sign. It returns none for a text
// that is no amount.
func parseAmount(text string) amounts {
	number, currencies := text, []string(nil)
	for _, s := range signs {
		rest, before := strings.CutPrefix(text, s.sign)
		if !before {
			var behind bool
			if rest, behind = strings.CutSuffix(text, s.sign); !behind {
				continue
			}
		}
		number, currencies = strings.TrimSpace(rest), s.currencies
		break
	}
	if currencies == nil {
		first, last := strings.IndexAny(text, "0123456789"), strings.LastIndexAny(text, "0123456789")
		if first < 0 {
			return amounts{}
		}
		before, behind := strings.TrimSpace(text[:first]), strings.TrimSpace(text[last+1:])
		if code := before + behind; code != "" {
			if before != "" && behind != "" || !codeForm().MatchString(code) {
				return amounts{}
			}
			currencies = []string{strings.ToUpper(code)}
		}
		number = text[first : last+1]
	}
	return amounts{readings(number), currencies}
}

// readings returns what a number with separators can mean.
func readings(number string) (all []string) {
	if numberForm().MatchString(number) {
		all = append(all, strings.ReplaceAll(number, ",", "."))
	}
	if groupForm().MatchString(number) {
		whole, decimals := number, ""
		if at := strings.LastIndexAny(number, ".,"); at >= 0 && strings.Count(number, number[at:at+1]) == 1 &&
			strings.ContainsAny(number[:at], ".,'’ \u00a0\u202f") {
			whole, decimals = number[:at], "."+number[at+1:]
		}
		grouped := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, whole) + decimals
		if !slices.Contains(all, grouped) {
			all = append(all, grouped)
		}
	}
	return all
}

// fit reports whether a row has the amount.
func (a amounts) fit(row listing.Row) bool {
	return (len(a.currencies) == 0 || slices.Contains(a.currencies, row.Currency)) &&
		slices.ContainsFunc(a.texts, row.HasAmount)
}

// words says which amount it is.
func (a amounts) words() string {
	if len(a.texts) == 0 {
		return ""
	}
	text := "amount of " + strings.Join(a.texts, " or ")
	if len(a.currencies) == 1 {
		return text + " " + a.currencies[0]
	}
	if len(a.currencies) > 1 {
		return text + " in " + strings.Join(a.currencies[:len(a.currencies)-1], ", ") + " or " +
			a.currencies[len(a.currencies)-1]
	}
	return text
}
