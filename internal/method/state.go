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

// State is a state, province or prefecture of ISO 3166-2: its code, without the country, its English
// name, and other names that addresses carry.
type State []string

var (
	readStates sync.Once
	stateTable map[string][]State
)

// states is the table, read once. It is read by no package variable, which every binary would hold.
func states() map[string][]State {
	readStates.Do(func() {
		if err := json.Unmarshal(statesJSON, &stateTable); err != nil {
			panic("method: states.json: " + err.Error())
		}
	})
	return stateTable
}

// otherStates are codes that addresses still carry beside those of the table: the military post of
// the US, two letters for Australian states whose own code has three, and Indian
// codes that shops knew before their states renamed or joined.
var otherStates = map[string][]string{
	"US": {"AA", "AE", "AP"},
	"AU": {"AC", "NS", "QL", "TS", "VI"},
	"IN": {"CT", "DD", "DN", "OR", "TG", "UT"},
}

// States returns the states of a country whose addresses have a state from a list (US, CA, AU, JP and
// IN: core.md, billing_address), none for others.
func States(country string) []State {
	return states()[country]
}

// HasStates reports whether a country's addresses have a state from a list.
func HasStates(country string) bool {
	return len(States(country)) > 0
}

// IsState reports whether a code is one of a country's states, in upper case. Most have 2 characters;
// the Australian ones have 2 or 3, as their post has them.
func IsState(country, code string) bool {
	return slices.ContainsFunc(States(country), func(s State) bool { return s[0] == code }) ||
		slices.Contains(otherStates[country], code)
}

// FindState returns the code of a country's state that a merchant wrote as its code (CA), with the
// country before it (US-CA, JP13) or by its name in any case, with or without accents (California, québec).
func FindState(country, text string) (code string, found bool) {
	text = strings.TrimSpace(text)
	for _, code := range []string{text, strings.TrimLeft(strings.TrimPrefix(text, country), "-_ .")} {
		if IsState(country, code) {
			return code, true
		}
	}
	name := plainName(text)
	for _, state := range States(country) {
		if slices.ContainsFunc(state[1:], func(other string) bool { return plainName(other) == name }) {
			return state[0], true
		}
	}
	return "", false
}

// plainName is a name as it is compared: in lower case, without accents, periods and doubled spaces.
func plainName(name string) string {
	return strings.Join(strings.Fields(accents.Replace(strings.ToLower(name))), " ")
}

// accents are the letters with accents in the names of these countries' states.
var accents = strings.NewReplacer("é", "e", "è", "e", "î", "i", "ō", "o", "ô", "o", "ū", "u", "û", "u", "&", "and", ".", "", "’", "'")
