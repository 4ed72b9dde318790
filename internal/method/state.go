package method

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

//go:embed states.json
var statesJSON []byte

// State is a state, province or prefecture of ISO 3166-2: its code without the country, its English name, and other
// names that are used in addresses.
type State []string

var (
	readStates sync.Once
	stateTable map[string][]State
)

// allStates returns the table by country, and reads it when it is first called. The linker can remove a function that a
// binary does not use, but not the initialization of a variable.
func allStates() map[string][]State {
	readStates.Do(func() {
		if err := json.Unmarshal(statesJSON, &stateTable); err != nil {
			panic("method: states.json: " + err.Error())
		}
	})
	return stateTable
}

// otherStates are codes that are used in addresses but not in the table: the military post of the US, two letters for
// Australian states whose code has three, and former codes of Indian states.
var otherStates = map[string][]string{
	"US": {"AA", "AE", "AP"},
	"AU": {"AC", "NS", "QL", "TS", "VI"},
	"IN": {"CT", "DD", "DN", "OR", "TG", "UT"},
}

// statesOf returns the states of a country whose addresses have a state from a list (US, CA, AU, JP and IN:
// protocol.md, Addresses), none for other countries.
func statesOf(country string) []State {
	return allStates()[country]
}

// HasStates reports whether a country's addresses have a state from a list.
func HasStates(country string) bool {
	return len(statesOf(country)) > 0
}

// isState reports whether a code is that of a country's state, in upper case. Most codes have 2 characters, Australian
// ones have 2 or 3.
func isState(country, code string) bool {
	return slices.ContainsFunc(statesOf(country), func(s State) bool { return s[0] == code }) ||
		slices.Contains(otherStates[country], code)
}

// FindState returns the code of a country's state. The merchant may write the code (CA), the code with the country
// (US-CA, JP13), or the name in any case, with or without accents (California, québec).
func FindState(country, text string) (code string, found bool) {
	text = strings.TrimSpace(text)
	for _, code := range []string{text, strings.TrimLeft(strings.TrimPrefix(text, country), "-_ .")} {
		if isState(country, code) {
			return code, true
		}
	}
	name := normalizeName(text)
	for _, state := range statesOf(country) {
		if slices.ContainsFunc(state[1:], func(other string) bool { return normalizeName(other) == name }) {
			return state[0], true
		}
	}
	if code, found := strings.CutPrefix(name, "armed forces ("); found { // as shops name the military post of the US
		code = strings.ToUpper(strings.TrimSuffix(code, ")"))
		if country == "US" && slices.Contains(otherStates["US"], code) {
			return code, true
		}
	}
	return "", false
}

// normalizeName returns a name in lower case, without accents, periods and doubled spaces.
func normalizeName(name string) string {
	return strings.Join(strings.Fields(accents.Replace(strings.ToLower(name))), " ")
}

// accents replaces the letters with accents that occur in the names of states, and some other characters.
var accents = strings.NewReplacer("é", "e", "è", "e", "î", "i", "ō", "o", "ô", "o", "ū", "u", "û", "u",
	"&", "and", ".", "", "’", "'")
