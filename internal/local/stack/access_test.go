package stack

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/local/cloud/template"
)

// access is what a function may do with documents and secrets.
type access struct {
	reads  string // partitions, as internal/store/keys.go names them
	writes string
	joins  string // those of writes that it writes in transactions only
	lists  string // partitions of the due index
	scans  string // an index of which it reads all partitions
	uses   string // the kinds of secrets that it may decrypt
	makes  string // the kinds for which it may make keys
}

// ofMerchant is what every function reads that a merchant calls.
const ofMerchant = "datakey/password key/* merchant/* secret/password/*"

// ofOperation is what a function may do that changes payments for merchants.
var ofOperation = access{
	reads: ofMerchant + " order/* idempotency/*", writes: "order/* idempotency/* uses/*", uses: "password",
}

// dueForOperators is what waits, of which operators have lists.
const dueForOperators = "due/payment/* due/callback/* due/parked/* due/person/* due/chain/* due/test-payment/* " +
	"due/test-callback/* due/test-person/* due/test-chain/*"

// accessOf has what each other function may do: one that authenticates reads keys and the password, one that sends
// callbacks the password, one that talks to providers credentials, and so on. One alone writes settings of an operator.
var accessOf = map[string]access{
	"session": {reads: ofMerchant + " order/* idempotency/* card/* circuit/* blocks/* vault/public/*",
		writes: "order/* idempotency/* uses/* vault/card/*", uses: "password"},
	"status": {reads: ofMerchant + " order/*", writes: "uses/*", uses: "password"},
	"page": {
		reads: "datakey/password datakey/wallet-identity merchant/* secret/password/* secret/wallet-identity/* order/* " +
			"card/* vault/public/*",
		writes: "order/* card/* vault/card/*", uses: "password wallet-identity",
	},
	"notify": {
		reads:  "merchant/* secret/credentials/* order/* sandbox*",
		writes: "order/* card/* sandbox* vault/card/*", uses: "credentials",
	},
	"connector": {
		reads: "datakey/wallet-processing fingerprint-key merchant/* blocks/* " +
			"secret/credentials/* secret/wallet-processing/* order/* card/* sandbox* vault/private/* vault/card/* circuit/* " +
			"wallet/*",
		// The key of fingerprints once, when there is none.
		writes: "fingerprint-key order/* card/* sandbox* vault/card/* circuit/* wallet/*",
		uses:   "credentials wallet-processing",
	},
	"callback": {
		reads:  "datakey/password datakey/callback merchant/* secret/password/* secret/callback/* order/* callback-circuit/*",
		writes: "order/* callback-circuit/*", uses: "password callback",
	},
	"adminread": {
		reads: "operators approvals sign-in merchants merchant/* uses/* order/* circuit/* callback-circuit/* " +
			"blocks/* audit/* rows/* journal/* find/* active/* used/* sums/*",
		// Who reads lists with payers' data.
		writes: "audit/* sums/*", joins: "audit/*",
		lists: dueForOperators, scans: "checkout-Table/index/due",
	},
	"adminact": {
		reads: "operators approvals sign-in merchants merchant/* order/* idempotency/* circuit/* callback-circuit/* " +
			"blocks/* audit/head/* rows/* journal/* active/* find/*",
		writes: "operators approvals sign-in order/* idempotency/* circuit/* callback-circuit/* blocks/* audit/*",
		// Whatever people change has its audit document.
		joins: "operators approvals sign-in order/* circuit/* callback-circuit/* blocks/* audit/*",
		lists: dueForOperators,
	},
	"adminlogin": {reads: "sign-in", writes: "sign-in"},
	"adminsettings": {
		reads:  "operators sign-in merchants merchant/* key/* secret/* datakey/* idempotency/*",
		writes: "merchants merchant/* key/* secret/* datakey/* idempotency/* audit/*",
		joins:  "merchants merchant/* key/* secret/* audit/*",
		uses:   "fingerprint", // which decrypts no secret
		makes:  "password callback credentials fingerprint wallet-identity wallet-processing",
	},
	"index": {reads: "order/* rows/* journal/* find/* active/* used/* sums/*",
		writes: "rows/* journal/* find/* active/* used/* sums/*"},
	"archive": {reads: "audit/*"},
	"unknown": {},
	"guard":   {reads: "release/*"},
	"sweep": {reads: "sweep/* vault/public/* vault/private/*", writes: "sweep/* vault/public/* vault/private/*",
		lists: "due/payment/* due/chain/* due/callback/* due/person/* due/test-payment/* due/test-chain/* " +
			"due/test-callback/*", scans: "checkout-Table/index/due"},
}

func TestAccessOfEveryFunction(t *testing.T) {
	read, err := stack(t, signIn("oidc"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := read.Keys[slices.IndexFunc(read.Keys, func(k template.Key) bool { return k.ID == "SecretsKey" })].ARN
	for _, f := range read.Functions {
		var got access
		for _, s := range f.Policies {
			if strings.Contains(s.Resources[0], "/stream/") {
				continue // it has keys alone
			}
			if slices.Contains(s.Resources, secrets) || strings.HasPrefix(s.Actions[0], "dynamodb:") {
				got.add(t, f.Name, s)
			}
		}
		want, other := accessOf[f.Name]
		if !other {
			want = ofOperation
		}
		for _, one := range [][3]string{
			{"reads", got.reads, want.reads}, {"writes", got.writes, want.writes},
			{"writes in transactions only", got.joins, want.joins}, {"lists", got.lists, want.lists},
			{"scans", got.scans, want.scans}, {"decrypts for", got.uses, want.uses},
			{"makes keys for", got.makes, want.makes},
		} {
			if words(one[1]) != words(one[2]) {
				t.Errorf("%s %s %q, want %q", f.Name, one[0], words(one[1]), words(one[2]))
			}
		}
	}
}

// TestUnknownPathsReachNoSecret looks at the function that anybody can call with anything.
func TestUnknownPathsReachNoSecret(t *testing.T) {
	read := readTemplate(t)
	routes := read.APIs[template.PublicAPI].Routes
	route := slices.IndexFunc(routes, func(r template.Route) bool { return r.Path == "$default" })
	function := routes[route].Function
	f := read.Functions[slices.IndexFunc(read.Functions, func(f template.Function) bool { return f.Name == function })]
	for _, s := range f.Policies {
		if !strings.HasPrefix(s.Actions[0], "logs:") {
			t.Errorf("%s may %v", function, s)
		}
	}
	for name := range f.Environment {
		if strings.HasSuffix(name, "SECRET") || strings.HasSuffix(name, "KEY_ID") || strings.HasSuffix(name, "URL") {
			t.Errorf("%s has %s", function, name)
		}
	}
}

// TestLogOfEveryFunction looks at who may write which log: a function that could write another's could hide there.
func TestLogOfEveryFunction(t *testing.T) {
	for _, f := range readTemplate(t).Functions {
		var actions, groups []string
		for _, s := range f.Policies {
			if slices.ContainsFunc(s.Actions, func(a string) bool { return strings.HasPrefix(a, "logs:") }) {
				actions, groups = append(actions, s.Actions...), append(groups, s.Resources...)
			}
		}
		own := strings.TrimSuffix(f.ID, "Function") + "Log.Arn"
		if !slices.Equal(actions, []string{"logs:CreateLogStream", "logs:PutLogEvents"}) ||
			!slices.Equal(groups, []string{own}) {
			t.Errorf("%s may do %v with %v", f.ID, actions, groups)
		}
	}
}

// add adds what one statement allows.
func (a *access) add(t *testing.T, function string, s template.Statement) {
	t.Helper()
	for _, action := range s.Actions {
		_, operation, _ := strings.Cut(action, ":")
		if operation == "Scan" && strings.Contains(s.Resources[0], "/index/") { // of keys alone
			for _, resource := range s.Resources {
				a.scans += " " + strings.TrimPrefix(resource, "arn:aws:dynamodb:eu-central-1:000000000000:table/")
			}
			continue
		}
		to, key, operator := &a.reads, "dynamodb:LeadingKeys", "ForAllValues:StringLike"
		// A condition on all keys is true for a request without keys, such as Scan and those of PartiQL.
		makes := strings.HasPrefix(operation, "GenerateDataKey")
		known := []string{"Decrypt", "GetItem", "BatchGetItem", "Query", "PutItem", "DeleteItem"}
		if !makes && !slices.Contains(known, operation) {
			t.Errorf("%s: %s may name no key at all", function, action)
		}
		switch {
		case operation == "Decrypt":
			to, key, operator = &a.uses, "kms:EncryptionContext:use", "StringEquals"
		case makes:
			to, key, operator = &a.makes, "kms:EncryptionContext:use", "StringEquals"
		case strings.Contains(s.Resources[0], "/index/"):
			to = &a.lists
		case !slices.Contains([]string{"GetItem", "BatchGetItem", "Query"}, operation):
			to = &a.writes
		}
		joined := func(c template.Condition) bool {
			return to == &a.writes && c.Operator == "ForAnyValue:StringEquals" && c.Key == "dynamodb:EnclosingOperation" &&
				slices.Equal(c.Values, []string{"TransactWriteItems"})
		}
		others := slices.DeleteFunc(slices.Clone(s.Conditions), joined)
		if len(s.Resources) != 1 || len(others) != 1 || others[0].Key != key || others[0].Operator != operator {
			t.Errorf("%s: %s without the condition %s %s alone", function, action, operator, key)
			continue
		}
		partitions := " " + strings.Join(others[0].Values, " ")
		if *to += partitions; len(others) < len(s.Conditions) {
			a.joins += partitions
		}
	}
}

// words returns the words of a text in alphabetical order, each once.
func words(text string) string {
	all := strings.Fields(text)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}
