package table

import (
	"slices"
	"strings"
	"sync"

	"checkout/internal/request"
)

// rows are made when they are first asked for: most functions never do.
var rows = sync.OnceValue(func() []Row {
	return slices.Concat(
		[]Row{
			{Path: "id", Kind: Text, Section: SectionKeys, Label: "Id", Help: "It never changes.",
				Required: true, Check: request.UpTo(255)},
			{Path: "name", Kind: Text, Section: SectionKeys, Label: "Name", Help: "Payers see it.", Default: "the id"},
			{Path: "disabled", Kind: Switch, Section: SectionKeys, Label: "Disabled",
				Help: "All requests of the merchant are refused. Payments under way go on."},
			{Path: "live_key", Kind: Text, Section: SectionKeys, Label: "Live key",
				Help: "The merchant_key of requests that move money.", Required: true, Check: request.UpTo(255)},
			{Path: "test_key", Kind: Text, Section: SectionKeys, Label: "Test key", Test: true,
				Help: "The merchant_key of test requests. Their payments go to the sandbox.", Required: true,
				Check: request.UpTo(255)},
			{Path: "password", Kind: Text, Section: SectionKeys, Label: "Password", Secret: true, Required: true,
				Help: "It is in the hash of requests, callbacks and returns."},
			{Path: "callback_secret", Kind: Text, Section: SectionKeys, Label: "Callback secret", Secret: true, Required: true,
				Help: "It signs callbacks, as Standard Webhooks do: whsec_ and base64.", Check: isCallbackSecret},
			{Path: "notification_url", Kind: Address, Section: SectionKeys, Label: "Address for callbacks",
				Help: "Where the shop is told what became of live payments.", Check: request.IsReceiver},
			{Path: "test_notification_url", Kind: Address, Section: SectionKeys, Label: "Address for test callbacks", Test: true,
				Help: "Where the shop is told what became of test payments.", Check: request.IsReceiver},
			{Path: "callback_json", Kind: Switch, Section: SectionKeys, Label: "Callbacks as JSON",
				Help: "On: JSON. Off: forms.", Default: "JSON, unless the mapping is for a shop that reads forms"},
			{Path: "sha256", Kind: Switch, Section: SectionKeys, Label: "SHA-256 in hashes",
				Help: "SHA-256 takes the place of MD5 inside every hash. The shop has to do the same."},
			{Path: "rate_limit", Kind: Number, Section: SectionLimits, Label: "Requests a second", Default: "500",
				Help: "Of this merchant, to one instance of a function.", Most: maxNumber},
			{Path: "mappings", Kind: Items, Section: SectionMappings, Label: "Mappings", Item: "Mapping", Key: "name",
				Help: "How the protocol behaves for a shop, and the MIDs that take its payments."},
		},
		below("mappings[]", mappingRows()),
		[]Row{{Path: "schedules", Kind: Items, Section: SectionSchedules, Label: "Schedules", Item: "Schedule", Key: "id",
			Help: "When charges of recurring payments are due."}},
		below("schedules[]", scheduleRows()),
		[]Row{{Path: "forms", Kind: Items, Section: SectionForms, Label: "Forms", Item: "Form", Key: "id",
			NoCase: true,
			Help:   "What the page asks for, and how it looks, in sessions that name the form."}},
		below("forms[]", formRows()),
		[]Row{{Path: "branding", Kind: Group, Section: SectionPage, Label: "Page",
			Help: "How the page looks, and where it may be shown."}},
		below("branding", brandingRows()),
		[]Row{{Path: "wallets", Kind: Group, Section: SectionWallets, Label: "Wallets",
			Help: "Apple Pay and Google Pay of all MIDs that have none of their own."}},
		below("wallets", walletRows()),
	)
})

var byPath = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for i, row := range rows() {
		all[row.Path] = i
		if row.Kind == Map {
			all[row.Path+"{}"] = i
		}
	}
	return all
})

// Rows returns all rows, each group and list of objects before its own settings.
func Rows() []Row { return rows() }

// Find returns the row of a path, nil if there is none. An entry of a map has the row of the map.
func Find(path string) *Row {
	if i, found := byPath()[path]; found {
		return &rows()[i]
	}
	return nil
}

// Members returns the names of the settings of an object, whose path is in the form of Row.Path; "" is a merchant.
func Members(path string) (names []string) {
	for _, row := range Rows() {
		name, below := strings.CutPrefix(row.Path, strings.TrimPrefix(path+".", "."))
		if below && !strings.ContainsAny(name, ".[]{}") {
			names = append(names, name)
		}
	}
	return names
}

// SectionOf returns the section of a setting.
func SectionOf(row *Row) string {
	for path := row.Path; ; {
		if found := Find(path); found != nil && found.Section != "" {
			return found.Section
		}
		dot := strings.LastIndexByte(path, '.')
		if dot < 0 {
			return ""
		}
		path = strings.TrimRight(path[:dot], "[]{}")
	}
}
