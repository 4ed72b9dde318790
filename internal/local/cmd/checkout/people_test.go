package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/callback"
	"checkout/internal/circuit"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/engine"
	"checkout/internal/local/cloud/template"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/settings/settingstest"
	"checkout/internal/store"
	engines "checkout/internal/store/storetest/engine"
)

const testAccount, testRegion = "000000000000", "eu-central-1"

// stackOfPeople has the tables and keys of template.yaml, and those who may use them: the people of infra/iam, and the
// endpoint's administrator.
type stackOfPeople struct {
	atTable
	policies map[string][]template.Statement
	needed   map[string][]permission // by person
	docs     store.Store
	watches  bool // that every write has its audit document
	stack    string
	vault    string // name of the vault table
	listing  string // name of the listing table
	bucket   string // name of that with copies of audit documents
}

// permission is what a request has needed.
type permission struct {
	action, resource string
	context          template.Context
}

func newStackOfPeople(t *testing.T) *stackOfPeople {
	t.Helper()
	name := "test-" + strings.ToLower(rand.Text())
	read, err := template.Read("../../../../template.yaml", template.Options{
		StackName: name, Region: testRegion, Account: testAccount,
		QueueURL: func(name string) string { return "http://sqs/" + name },
	})
	if err != nil {
		t.Fatal(err)
	}
	url, err := engines.DynamoDB()
	if err != nil {
		t.Fatal(err)
	}
	isListing := func(t template.Table) bool { return t.ID == "Listing" }
	if !slices.ContainsFunc(read.Tables, isListing) { // where the template leaves it out
		listing := read.Tables[slices.IndexFunc(read.Tables, func(t template.Table) bool { return t.ID == "VaultTable" })]
		listing.ID, listing.Name = "Listing", strings.Replace(listing.Name, listing.ID, "Listing", 1)
		listing.ARN = strings.Replace(listing.ARN, "VaultTable", "Listing", 1)
		listing.Definition = maps.Clone(listing.Definition)
		listing.Definition["TableName"] = listing.Name
		read.Tables = append(read.Tables, listing)
	}
	if err := (&engine.Engines{DynamoDB: url, Region: testRegion}).CreateTables(t.Context(), read.Tables); err != nil {
		t.Fatal(err)
	}
	nameOf := func(id string) string {
		return read.Tables[slices.IndexFunc(read.Tables, func(t template.Table) bool { return t.ID == id })].Name
	}
	s := &stackOfPeople{
		policies: map[string][]template.Statement{}, needed: map[string][]permission{}, stack: name,
	}
	s.t, s.table, s.vault, s.listing = t, nameOf("Table"), nameOf("VaultTable"), nameOf("Listing")
	isAudit := func(b template.Bucket) bool { return b.ID == "AuditBucket" }
	s.bucket = read.Buckets[slices.IndexFunc(read.Buckets, isAudit)].Name
	s.key = read.Keys[slices.IndexFunc(read.Keys, func(k template.Key) bool { return k.ID == "SecretsKey" })].KeyID
	callers := map[string]endpoint.Caller{}
	for _, person := range []string{"reader", "operator"} {
		s.policies[person] = s.policy(person)
		callers[person] = endpoint.Caller{
			Name: person, FullName: person, RoleARN: "arn:aws:iam::" + testAccount + ":role/" + person,
			Policies: s.policies[person],
		}
	}
	e, err := endpoint.New(endpoint.Config{
		Region: testRegion, Account: testAccount, DynamoDB: url, Callers: callers, Tables: read.Tables, Keys: read.Keys,
		Buckets: read.Buckets,
		Needed: func(caller, action, resource string, context template.Context) {
			s.needed[caller] = append(s.needed[caller], permission{action, resource, context})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.watched(e))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_REGION", testRegion)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	s.is(endpoint.AdminKey)
	s.docs = s.open()
	return s
}

// watched reports a write that has no audit document in it. A data key of secrets is made when it is first needed. The
// listing has nothing of its own.
func (s *stackOfPeople) watched(to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.t.Error(err)
		}
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if s.watches && (operation == "PutItem" || operation == "TransactWriteItems") &&
			!bytes.Contains(body, []byte(`"TableName":"`+s.listing+`"`)) &&
			!bytes.Contains(body, []byte(`"pk":{"S":"audit/`)) && !bytes.Contains(body, []byte(`"pk":{"S":"datakey/`)) {
			s.t.Errorf("a write without its audit document: %.200s", body)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		to.ServeHTTP(w, r)
	})
}

// open opens both tables by the credentials of whoever types.
func (s *stackOfPeople) open() store.Store {
	s.t.Helper()
	docs, err := app.OpenTable(s.t.Context(), func(name string) string {
		return map[string]string{"TABLE": s.table, "VAULT_TABLE": s.vault, "LISTING_TABLE": s.listing}[name]
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return docs
}

// reachesNothingElse checks that whoever types can neither read cards, nor what is in the vault, nor delete anything.
func (s *stackOfPeople) reachesNothingElse() {
	s.t.Helper()
	docs, now := s.open(), time.Now()
	for _, key := range []store.Key{
		store.SavedCardKey("x"), store.SealedCardKey("x"), store.DayKeyKey("2030-01-02"), store.WalletTokenKey("x"),
	} {
		if _, err := docs.Get(s.t.Context(), now, key); err == nil || !strings.Contains(err.Error(), denied) {
			s.t.Errorf("read %v: %v", key, err)
		}
		if err := docs.Save(s.t.Context(), now, store.Encode(key, 0, "x")); err == nil ||
			!strings.Contains(err.Error(), denied) {
			s.t.Errorf("wrote %v: %v", key, err)
		}
	}
	for _, key := range []store.Key{store.AuditKey(now, 1, 1), store.SettingsKey("demo")} {
		err := docs.Save(s.t.Context(), now, store.Record{Key: key, Delete: true})
		if err == nil || !strings.Contains(err.Error(), denied) {
			s.t.Errorf("deleted %v: %v", key, err)
		}
	}
}

// policy is a person's policy, filled in by the command of infra/README.md.
func (s *stackOfPeople) policy(person string) []template.Statement {
	s.t.Helper()
	text, err := os.ReadFile("../../../../infra/README.md")
	if err != nil {
		s.t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^policy\(\) .*$`).FindString(string(text))
	fill := exec.Command("bash", "-euc", command+"\npolicy "+person)
	fill.Dir = "../../../.."
	fill.Env = []string{
		"PATH=" + os.Getenv("PATH"), "ACCOUNT=" + testAccount, "AWS_REGION=" + testRegion, "STACK=" + s.stack,
		"TABLE=" + s.table, "SECRETS_KEY_ID=arn:aws:kms:x:1:key/" + s.key, "ADMIN_API=adminapi",
	}
	filled, err := fill.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	statements, err := template.ReadPolicy(person, filled)
	if err != nil || len(statements) == 0 || regexp.MustCompile(`\{[A-Z_]+}`).Match(filled) {
		s.t.Fatalf("%d statements: %v", len(statements), err)
	}
	return statements
}

// is makes a person the one who types the commands that follow.
func (s *stackOfPeople) is(person string) {
	s.t.Helper()
	s.t.Setenv("AWS_ACCESS_KEY_ID", person)
}

// begin stores what the commands are about: a shop with settings to restore, a payment that waits for a person, an open
// circuit breaker and two callbacks that were parked. It returns the payments that these are about.
func (s *stackOfPeople) begin() (waits, parked, other string) {
	t := s.t
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	for _, line := range []string{
		"merchants put -base https://pay.example " + deployable(t),
		"merchants put " + s.write("pens.json", fmt.Sprintf(shopWithWallets, true)), "merchants disable pens",
	} {
		if out := s.do("%s", line); strings.Contains(out, "error: ") {
			t.Fatalf("%s: %s", line, out)
		}
	}
	id := func(order, random string) string {
		return store.NewPaymentID(store.OrderHash("demo/test", order), now, []byte(random))
	}
	waits, parked, other = id("pen-1", "0123"), id("pen-2", "4567"), id("pen-3", "89ab")
	savePaymentThatWaits(t, s.docs, waits, now.Add(-80*time.Hour))
	for _, payment := range []string{parked, other} {
		c := callback.Callback{
			ID: callback.WebhookID(payment, 1), PaymentID: payment, Seq: 1, Owner: request.Owner{Merchant: "demo", Test: true},
			Fields: callback.Fields{{Name: "id", Value: payment}}, CreatedAt: now, State: callback.Parked, NextAt: now,
		}
		if err := s.docs.Save(t.Context(), now, c.Record(now)); err != nil {
			t.Fatal(err)
		}
	}
	breakers := circuit.Circuits{Store: s.docs, Memory: &circuit.Memory{},
		Meter: metric.Meter{Log: slog.New(slog.DiscardHandler), Now: time.Now}}
	for range 5 {
		breakers.Count(t.Context(), circuit.Charge{SentAt: time.Now(), Reason: circuit.TimedOut,
			MID: circuit.MID{Owner: "live/demo", Mapping: "default", Name: "primary", Connector: "stripe"}})
	}
	old := store.Key{Partition: store.AuditOf(now.AddDate(0, 0, -1), 0, 1).Partition, Sort: "1"}
	if err := s.docs.Save(t.Context(), now, store.Encode(old, 0, app.AuditEntry{At: now.AddDate(0, 0, -1)})); err != nil {
		t.Fatal(err)
	}
	row, err := store.RowKey("live/demo", other)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.docs.Save(t.Context(), now, store.Encode(row, 0, "too many")); err != nil {
		t.Fatal(err)
	}
	return waits, parked, other
}

const denied = "AccessDenied"

// typed is what people type: what only reads, what decrypts or reads a whole table, and what changes something.
type typed struct {
	reads, decrypts []string
	changes         []changeTyped
}

// changeTyped is a command with what its audit document tells.
type changeTyped struct{ line, what, change string }

// lines are all commands, about what begin has stored.
func (s *stackOfPeople) lines() typed {
	waits, parked, other := s.begin()
	identity := settingstest.Identity(s.t, "merchant.pens", time.Now().AddDate(1, 0, 0))
	keys := fmt.Sprintf("-google-key %s -identity %s -identity-key %s", s.write("google.key", settingstest.Key(s.t)),
		s.write("id.cer", identity.Certificate), s.write("id.key", identity.Key))
	file := s.write("change.json", `[{"id": "demo", "name": "Demo", "password": "another-password-1"}]`)
	return typed{
		reads: []string{
			"merchants list", "merchants show demo", "merchants versions pens", "merchants credentials stripe",
			"callbacks list", "payments show " + waits, "payments waiting", "circuits list", "circuits list demo",
			"wallets list pens", "wallets check pens localhost:1", "audit list",
		},
		decrypts: []string{
			"merchants diff " + file, "merchants put -dry-run " + file, "check", "check -table " + s.stack + "-restored",
			"index check -listing " + s.listing, "audit copy -bucket " + s.bucket, "audit compare -bucket " + s.bucket,
		},
		changes: []changeTyped{
			{"merchants new -for own ink", "merchant/ink", "is new"},
			{"merchants put " + file, "merchant/demo", `name: "Demo Shop" becomes "Demo"`},
			{"merchants restore pens 1", "merchant/pens", `disabled: goes, it was true`},
			{"merchants rotate demo callback-secret", "merchant/demo", "callback_secret: other than before, not shown"},
			{"merchants disable demo", "merchant/demo", "disabled: is new, true"},
			{"merchants enable demo", "merchant/demo", "disabled: goes, it was true"},
			{"callbacks send " + parked + " 1", "payment/" + parked, "sent now: callback 1"},
			{"callbacks send -since 2020-01-01T00:00:00Z", "payment/" + other, "sent now: callback 1"},
			{"payments look-up -wait 0s " + waits, "payment/" + waits, "request refund-1 is looked up"},
			{"payments settle -wait 0s " + waits + " approved", "payment/" + waits, "request refund-1 is settled as approved"},
			{"circuits close demo default primary", "circuit/live/demo/default/primary", "is closed"},
			{"index rebuild -listing " + s.listing, "index", "is rebuilt"},
			{"wallets put pens " + keys, "merchant/pens", "keys of wallets' tokens: other than before, not shown"},
		},
	}
}

// hasAll checks that every command is typed, and those with the flags of changes as such.
func (all typed) hasAll(t *testing.T) {
	t.Helper()
	for _, c := range commands() {
		if c.name == "request" {
			continue // it makes local files alone
		}
		isTyped := func(line string) bool { return strings.HasPrefix(line, strings.TrimSpace(c.group+" "+c.name)) }
		changes := slices.ContainsFunc(all.changes, func(one changeTyped) bool { return isTyped(one.line) })
		reads := slices.ContainsFunc(append(all.reads, all.decrypts...), isTyped)
		if strings.Contains(c.args, "-reason TEXT") != changes || !changes && !reads {
			t.Errorf("%s %s is not typed as it should be", c.group, c.name)
		}
	}
}

// Every command is typed by the reader and by the operator of infra/iam. The reader may look at everything and change
// nothing, the operator may change, too. Nobody has a right that no command needs, and every change has its document.
func TestWhatPeopleMayDo(t *testing.T) {
	s := newStackOfPeople(t)
	all := s.lines()
	all.hasAll(t)
	const why = " -by Ann -reason why"

	s.is("reader")
	s.reachesNothingElse()
	for _, line := range all.reads {
		if out := s.do("%s", line); strings.Contains(out, denied) || strings.Contains(out, "error: ") &&
			!strings.Contains(out, "association file") {
			t.Errorf("reader, %s: %s", line, out)
		}
	}
	refused := slices.Clone(all.decrypts)
	for _, one := range all.changes {
		refused = append(refused, one.line+why)
	}
	for _, line := range refused {
		if out := s.do("%s", line); !strings.Contains(out, denied) {
			t.Errorf("reader, %s: %s", line, out)
		}
	}

	s.is("operator")
	s.reachesNothingElse()
	for _, line := range append(all.reads, all.decrypts...) {
		if out := s.do("%s", line); strings.Contains(out, denied) {
			t.Errorf("operator, %s: %s", line, out)
		}
	}
	before := time.Now()
	s.watches = true
	for _, one := range all.changes {
		if out := s.do("%s", one.line+why); strings.Contains(out, "error: ") {
			t.Errorf("operator, %s: %s", one.line, out)
		}
	}
	s.usesAll()
	s.is("reader")
	all.areAudited(t, s.do("audit list -since %s", before.UTC().Format(time.RFC3339Nano)))
}

// Where STS does not say who calls, nothing is changed.
func TestNobodyUnknownChangesAnything(t *testing.T) {
	s := newStackOfPeople(t)
	all := s.lines()
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer silent.Close()
	t.Setenv("AWS_ENDPOINT_URL_STS", silent.URL)
	s.watches = true
	listed := s.do("audit list")
	for _, one := range all.changes {
		if out := s.do("%s", one.line+" -by Ann -reason why"); !strings.Contains(out, "ask AWS who calls") {
			t.Errorf("%s: %s", one.line, out)
		}
	}
	if now := s.do("audit list"); now != listed {
		t.Errorf("there is something new in %s", now)
	}
}

// areAudited checks that a list has one document of each change, and no secret.
func (all typed) areAudited(t *testing.T, listed string) {
	t.Helper()
	for _, one := range all.changes {
		pattern := `(?m)^\S+Z  arn:aws:sts::` + testAccount + `:assumed-role/operatorRole/operator \(Ann\)  ` +
			regexp.QuoteMeta(strings.Join(strings.Fields(one.line)[:2], " ")+"  "+one.what) + `\S*  why\n(  .*\n)*  .*` +
			regexp.QuoteMeta(one.change) + `\n`
		if !regexp.MustCompile(pattern).MatchString(listed) {
			t.Errorf("%s has no document %s in\n%s", one.line, pattern, listed)
		}
	}
	if !strings.HasSuffix(listed, fmt.Sprintf("\n%d changes\n", len(all.changes))) {
		t.Errorf("not one document for each change:\n%s", listed)
	}
	for _, secret := range []string{"another-password-1", "whsec_", "PRIVATE KEY"} {
		if strings.Contains(listed, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
}

// usesAll checks that every action, resource and value of a condition in people's policies was needed. Requests to the
// admin API are tested with the functions that serve it.
func (s *stackOfPeople) usesAll() {
	for person, statements := range s.policies {
		for i, statement := range statements {
			if slices.Equal(statement.Actions, []string{"execute-api:Invoke"}) {
				continue
			}
			unused := slices.Concat(statement.Actions, statement.Resources)
			for _, c := range statement.Conditions {
				unused = append(unused, c.Values...)
			}
			for _, p := range s.needed[person] {
				if !template.Allows(statements[i:i+1], p.action, p.resource, p.context) {
					continue
				}
				used := []string{p.action, p.resource}
				for _, c := range statement.Conditions {
					used = append(used, p.context[strings.ToLower(c.Key)]...)
				}
				unused = slices.DeleteFunc(unused, func(pattern string) bool {
					return slices.ContainsFunc(used, func(value string) bool { return template.Match(pattern, value) })
				})
			}
			if len(unused) > 0 {
				s.t.Errorf("%s: no command needs %q", person, unused)
			}
		}
	}
}
