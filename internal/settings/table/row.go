// Package table has a row for each setting of a merchant: what it is called, what it does, and what values it can have.
// The check, the words of a change, the admin page's forms and the operators' documents are made of it.
package table

import (
	"checkout/internal/request"
)

// Row is one setting.
type Row struct {
	// Path has the JSON names from the merchant on, with [] for each item of a list and {} for each entry of a map:
	// mappings[].mids[].weight.
	Path    string `json:"path"`
	Kind    Kind   `json:"kind"`
	Label   string `json:"label"`             // what people call it
	Help    string `json:"help,omitempty"`    // what it does
	Default string `json:"default,omitempty"` // what counts where it is absent
	Section string `json:"section,omitempty"` // of a merchant's view; "": that of the setting that it is part of

	Choices []string `json:"choices,omitempty"` // of a Choice and of Choices
	From    List     `json:"from,omitempty"`    // names the choices, and those of the names in a Map

	Required bool   `json:"required,omitempty"`
	Most     int    `json:"most,omitempty"` // of a Number, whose least is 0
	Item     string `json:"item,omitempty"` // of Items: what one of them is called
	Key      string `json:"key,omitempty"`  // of Items: the member by which they are known; "": by their number
	NoCase   bool   `json:"-"`              // Key is the same in both cases of letters

	Secret bool `json:"secret,omitempty"` // it is stored encrypted and never shown
	Test   bool `json:"test,omitempty"`   // it is about payments with the test key alone
	Set    bool `json:"set,omitempty"`    // the service sets it

	Check request.Check `json:"-"` // of a Text, and of each in Texts, Choices and Map
	Keys  request.Check `json:"-"` // of the names in a Map
}

// Kind says what values a setting has.
type Kind string

// The kinds.
const (
	Text    Kind = "text"
	Address Kind = "address" // a URL
	Amount  Kind = "amount"  // decimal text
	Colour  Kind = "colour"
	File    Kind = "file" // PEM text
	Time    Kind = "time" // RFC 3339
	Number  Kind = "number"
	Switch  Kind = "switch" // true or false
	Choice  Kind = "choice"
	Texts   Kind = "texts"   // a list
	Choices Kind = "choices" // a list
	Map     Kind = "map"     // texts by name
	Group   Kind = "group"   // an object with settings of its own
	Items   Kind = "items"   // a list of such objects
	// Credentials are texts by name, which the connector of the MID declares.
	Credentials Kind = "credentials"
	// Presets are texts by method and parameter, which the tables of methods declare.
	Presets Kind = "presets"
)

// List names choices that many settings have in common.
type List string

// The lists.
const (
	Connectors List = "connectors"
	Methods    List = "methods"
	Currencies List = "currencies"
	Countries  List = "countries"
	Languages  List = "languages"
	Fields     List = "fields"  // of the page, which a mapping or form can ask for and label
	Ordered    List = "ordered" // what a form can order: these, and the box of a card
)

// The sections of a merchant's view, in their order.
const (
	SectionKeys      = "Keys and addresses"
	SectionLimits    = "Limits"
	SectionMappings  = "Mappings and MIDs"
	SectionRouting   = "Pre-routing"
	SectionPlugin    = "Compatibility"
	SectionWallets   = "Wallets"
	SectionSchedules = "Schedules"
	SectionForms     = "Forms"
	SectionPage      = "Page"
)

// Sections are all sections.
var Sections = []string{
	SectionKeys, SectionMappings, SectionRouting, SectionWallets, SectionSchedules, SectionForms, SectionPage,
	SectionLimits, SectionPlugin,
}

// maxNumber is the upper bound of most numbers, far above what anybody needs.
const maxNumber = 1_000_000

// below returns the rows of a type's settings with the path of a setting of that type before each.
func below(path string, all []Row) []Row {
	moved := make([]Row, len(all))
	for i, row := range all {
		row.Path = path + "." + row.Path
		moved[i] = row
	}
	return moved
}
