package value

import (
	"strings"
	"time"
	"unicode"
)

// curpLetters are the characters of a CURP in the order of their values.
const curpLetters = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"

// curpStates are the codes of states, and NE for people who were born abroad.
const curpStates = "AS BC BS CC CH CL CM CS DF DG GR GT HG JC MC MN MS NE NL NT OC PL QR QT SL SP SR TC TL TS VZ YN ZS"

// CURP checks a Clave Única de Registro de Población: four letters, date of birth, sex, state, three letters, a
// character that says the century, and a check digit (RENAPO).
func CURP(text string) (string, bool) {
	text = compact(text)
	c := []rune(text)
	if len(c) != 18 || !isLetters(c[:4], "") || !isLetters(c[13:16], "") || !strings.ContainsRune("HMX", c[10]) ||
		!strings.Contains(" "+curpStates+" ", " "+string(c[11:13])+" ") {
		return text, false
	}
	century := "19"
	if !unicode.IsDigit(c[16]) {
		century = "20"
	}
	return text, isDay(century+string(c[4:10])) && c[17] == curpDigit(c[:17])
}

// curpDigit returns the check digit of the first 17 characters, -1 if one of them can't be in a CURP.
func curpDigit(c []rune) rune {
	total := 0
	for i, letter := range c {
		at := strings.IndexRune(curpLetters, letter)
		if at < 0 {
			return -1
		}
		total += len([]rune(curpLetters[:at])) * (18 - i)
	}
	return rune('0' + (10-total%10)%10)
}

// RFC checks a Registro Federal de Contribuyentes: three letters of a company or four of a person, a date, and three
// characters that make it unique. The last of these is a check digit that the tax office's own numbers do not always
// keep, so it is not checked.
func RFC(text string) (string, bool) {
	text = compact(text)
	c := []rune(text)
	if len(c) != 12 && len(c) != 13 {
		return text, false
	}
	names, date, unique := c[:len(c)-9], string(c[len(c)-9:len(c)-3]), string(c[len(c)-3:])
	// No date has a century. Only 29 February 1900 would be another day in 2000.
	return text, isLetters(names, "&") && isDay("20"+date) && all(unique, 3, 3, isAlphanumeric)
}

// isLetters reports whether all characters are letters of Spanish in upper case, or one of some others.
func isLetters(c []rune, others string) bool {
	for _, letter := range c {
		if (letter < 'A' || letter > 'Z') && letter != 'Ñ' && !strings.ContainsRune(others, letter) {
			return false
		}
	}
	return true
}

// isDay reports whether a text is a day of the calendar, written yyyymmdd.
func isDay(text string) bool {
	_, err := time.Parse("20060102", text)
	return err == nil
}
