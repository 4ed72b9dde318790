package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/audit"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/engine"
	engines "checkout/internal/local/cloud/enginetest"
	"checkout/internal/local/cloud/template"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/store"
)

const testAccount, testRegion = "000000000000", "eu-central-1"

// stackOfPeople has the tables and keys of template.yaml, and those who may use them: the people of infra/iam, and the
// endpoint's administrator.
type stackOfPeople struct {
	atTable
	policies map[string][]template.Statement

	noting  sync.Mutex
	needed  map[string][]permission // by person
	docs    store.Store
	watches bool // that every write has its audit document
	stack   string
	vault   string // name of the vault table
	listing string // name of the listing table
	bucket  string // name of that with copies of audit documents
	admin   string // address of an admin API
}

// env is the environment that the commands are typed in.
func (s *stackOfPeople) env(name string) string {
	return map[string]string{"SECRETS_KEY_ID": s.key, "TABLE": s.table, "LISTING_TABLE": s.listing,
		"CHECKOUT_URL": s.admin, "AUDIT_BUCKET": s.bucket,
		"AWS_ENDPOINT_URL": os.Getenv("AWS_ENDPOINT_URL")}[name]
}

// do returns what a command prints, and then its error.
func (s *stackOfPeople) do(line string) string {
	s.t.Helper()
	var out bytes.Buffer
	c := &call{getenv: s.env, in: strings.NewReader(""), out: &out, notes: &out,
		config: filepath.Join(s.t.TempDir(), "config.json")}
	if err := run(s.t.Context(), c, words(line)); err != nil {
		return out.String() + "error: " + err.Error()
	}
	return out.String()
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
	for _, person := range []string{"reader", "operator", "direct", "first"} {
		s.policies[person] = s.policy(person)
		callers[person] = endpoint.Caller{
			Name: person, FullName: person, RoleARN: "arn:aws:iam::" + testAccount + ":role/" + person,
			Policies: s.policies[person],
		}
	}
	callers["privileged"] = endpoint.Caller{ // somebody with a right beside direct.json
		Name: "privileged", FullName: "privileged", RoleARN: "arn:aws:iam::" + testAccount + ":role/privileged",
		Policies: append(slices.Clone(s.policies["direct"]), template.Statement{
			Actions: []string{"dynamodb:*", "s3:*"}, Resources: []string{"*"}}),
	}
	e, err := endpoint.New(endpoint.Config{
		Region: testRegion, Account: testAccount, DynamoDB: url, Callers: callers, Tables: read.Tables, Keys: read.Keys,
		Buckets: read.Buckets,
		Needed: func(caller, action, resource string, context template.Context) {
			s.noting.Lock()
			defer s.noting.Unlock()
			s.needed[caller] = append(s.needed[caller], permission{action, resource, context})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server, admin := httptest.NewServer(s.watched(e)), httptest.NewServer(http.HandlerFunc(s.serveAdmin))
	t.Cleanup(server.Close)
	t.Cleanup(admin.Close)
	s.admin = admin.URL
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_REGION", testRegion)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	s.is(endpoint.AdminKey)
	s.docs = s.open()
	return s
}

// who returns who has signed a request.
func who(r *http.Request) string {
	_, by, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	by, _, _ = strings.Cut(by, "/")
	return by
}

// allows reports whether whoever has signed a request may do something, and notes that it was needed.
func (s *stackOfPeople) allows(r *http.Request, action, resource string) bool {
	by := who(r)
	s.needed[by] = append(s.needed[by], permission{action, resource, template.Context{}})
	return template.Allows(s.policies[by], action, resource, template.Context{})
}

// serveAdmin is an admin API that has what every command reads, for those whom their policy lets call it.
func (s *stackOfPeople) serveAdmin(w http.ResponseWriter, r *http.Request) {
	const api = "arn:aws:execute-api:" + testRegion + ":" + testAccount + ":admin/$default/"
	if !s.allows(r, "execute-api:Invoke", api+r.Method+r.URL.Path) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"message":"Forbidden"}`)
		return
	}
	fmt.Fprint(w, `{"rows":[{"id":"p"}],"requests":[],"callbacks":[{"seq":1,"tries":[]}],"addresses":[],"circuits":[],
		"chains":[],"blocks":[],"grants":[],"limits":[],"approvals":[],"sessions":[],
		"merchants":[{"id":"demo"}],"settings":{},"versions":[],"version":1,
		"changes":[{"path":"name","text":"is another one"}],
		"entries":`+map[bool]string{true: "0", false: "[]"}[strings.HasSuffix(r.URL.Path, "/verify")]+`,
		"row":{"mode":"test"},"waiting":1,"parked":1,"closed":true,"possible":[{"act":"refund","allowed":true},
		{"act":"capture","allowed":true},{"act":"void","allowed":true},{"act":"settle","allowed":true},
		{"act":"look-up","allowed":true},{"act":"retry","allowed":true},
		{"act":"end-session","allowed":true}]}`)
}

// describe is CloudFormation's DescribeStacks, for those whom their policy lets call it.
func (s *stackOfPeople) describe(w http.ResponseWriter, r *http.Request) {
	if !s.allows(r, "cloudformation:DescribeStacks",
		"arn:aws:cloudformation:"+testRegion+":"+testAccount+":stack/"+s.stack+"/1") {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>")
		return
	}
	fmt.Fprint(w, "<DescribeStacksResponse/>")
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
		if bytes.Contains(body, []byte("Action=DescribeStacks")) {
			s.describe(w, r)
			return
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
	for _, key := range []store.Key{store.AuditKey(now, "act", nil), store.SettingsKey("demo")} {
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
		"TABLE=" + s.table, "ADMIN_API=admin", "SECRETS_KEY_ID=arn:aws:kms:x:1:key/" + s.key,
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

// begin stores what the commands on the table are about: a shop with settings to restore, a payment that is not listed,
// and one that is listed and not there.
func (s *stackOfPeople) begin() {
	t := s.t
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	for _, line := range []string{
		"merchants put --base https://pay.example " + deployable(t),
		"merchants put " + s.write("pens.json", fmt.Sprintf(shopWithWallets, true)), "merchants disable pens",
	} {
		if out := s.do(line + directly); strings.Contains(out, "error: ") {
			t.Fatalf("%s: %s", line, out)
		}
	}
	act := app.Act{ID: "an earlier one", Who: "ann"}
	if err := act.Save(t.Context(), s.docs, now.Add(-time.Hour), audit.Change{What: "merchant/pens"}); err != nil {
		t.Fatal(err)
	}
	savePayment(t, s.docs, store.NewPaymentID(store.OrderHash("live/pens", "1"), now, []byte("4567")))
	row, err := store.RowKey("live/demo", store.NewPaymentID(store.OrderHash("demo/live", "pen-1"), now, []byte("0123")))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.docs.Save(t.Context(), now, store.Encode(row, 0, "too many")); err != nil {
		t.Fatal(err)
	}
}

const denied = "AccessDenied"

// lines are what people type: what only reads, what reads a whole table, and what changes something, by the API or in
// the table.
type lines struct {
	reads, whole, acts []string
	changes            []changeTyped
}

// changeTyped is a command on the table with who may type it, and what its audit document tells.
type changeTyped struct{ person, line, command, what, change string }

// by is whose name the audit document has.
func (c changeTyped) by() string {
	if strings.Contains(c.line, "--by Ann") {
		return "Ann"
	}
	return c.person
}

// directly are the flags of a change without the admin API.
const directly = " --direct --yes --reason why"

// lines are all commands, about what begin has stored.
func (s *stackOfPeople) lines() lines {
	s.begin()
	identity := settingstest.Identity(s.t, "merchant.pens", time.Now().AddDate(1, 0, 0))
	keys := fmt.Sprintf("--google-key %s --identity %s --identity-key %s", s.write("google.key", settingstest.Key(s.t)),
		s.write("id.cer", identity.Certificate), s.write("id.key", identity.Key))
	file := s.write("change.json", `[{"id": "demo", "name": "Demo", "password": "another-password-1",
		"mappings": {"default": {"mids": {"primary": {"credentials": {"key": "another-key-1"}}}}}}]`)
	all := lines{
		reads: []string{
			"merchants list", "merchants show demo", "merchants versions pens", "merchants export",
			"merchants diff " + file, "wallets list pens", "wallets check pens localhost:1",
			"merchants credentials stripe", "use " + s.stack,
			"find pen-1", "payments list", "payments show p", "payments waiting", "payments under-way", "callbacks list",
			"chains list", "chains show p",
			"callbacks show p", "addresses list", "circuits list", "blocks list", "overview", "totals", "export",
			"operators list", "operators limits",
			"approvals list", "sessions list", "audit list", "me",
		},
		whole: []string{"check", "check --table " + s.stack + "-restored", "index check", verifyLately()},
		acts: []string{
			"payments refund p", "payments capture p", "payments void p", "payments look-up p", "payments settle p approved",
			"payments note p text", "payments end-session p",
			"payments retry p", "chains stop p", "chains resume p", "chains move p 2030-01-02", "chains lower p 1.00",
			"callbacks send p 1", "callbacks send --from 2020-01-01", "addresses close demo https://demo.example",
			"circuits close demo default primary", "operators grant ann support", "operators revoke ann support",
			"operators limit support EUR 1 2", "approvals approve a", "approvals reject a", "sessions end s",
			"forget --email joe@pens.example",
			"blocks add --until 2030-01-01 demo ip 192.0.2.7", "blocks remove demo b",
		},
		changes: []changeTyped{{"operator", "index rebuild --by Ann --reason why", "index rebuild", "index", "is rebuilt"}},
	}
	for _, one := range []struct{ line, command, what, change string }{
		{"merchants new --for own ink", "merchants", "merchant/ink", "is new"},
		{"merchants put " + file, "merchants publish", "merchant/demo", `name: "Demo Shop" becomes "Demo"`},
		{"merchants restore pens 1", "merchants restore", "merchant/pens", `disabled: is switched off`},
		{"merchants rotate demo callback-secret", "merchants rotate", "merchant/demo",
			"callback_secret: other than before, not shown"},
		{"merchants disable demo", "merchants disable", "merchant/demo", "disabled: is switched on"},
		{"merchants enable demo", "merchants enable", "merchant/demo", "disabled: is switched off"},
		{"wallets put pens " + keys, "merchants wallet-keys", "merchant/pens",
			"wallets.applepay.identity_key: other than before, not shown"},
	} {
		all.acts = append(all.acts, one.line)
		all.changes = append(all.changes, changeTyped{"direct", one.line + directly, one.command, one.what, one.change})
	}
	return all
}

// hasAll checks that every command is typed, and those with the flags of changes as such.
func (all lines) hasAll(t *testing.T) {
	t.Helper()
	for _, c := range (&call{}).leaves() {
		name := strings.TrimPrefix(c.CommandPath(), "checkout ")
		if slices.Contains([]string{"init", "wallets request", "admin", "login", "logout", "smoke"}, name) {
			continue // these write local files, serve the page, are of people without AWS credentials, or try a whole stack
		}
		isTyped := func(line string) bool { return strings.HasPrefix(line+" ", name+" ") }
		changes := slices.ContainsFunc(all.acts, isTyped) ||
			slices.ContainsFunc(all.changes, func(one changeTyped) bool { return isTyped(one.line) })
		reads := slices.ContainsFunc(append(all.reads, all.whole...), isTyped)
		says := c.Flags().Lookup("reason") != nil || name == "payments note" // which is a text itself
		if says != changes || !changes && !reads {
			t.Errorf("%s is not typed as it should be", name)
		}
	}
}

// givesTheFirstRole checks that whoever sets a stack up can do that, once and with its document, and nothing else.
func (s *stackOfPeople) givesTheFirstRole() {
	s.t.Helper()
	const ann = "arn:aws:sts::" + testAccount + ":assumed-role/Admin/ann"
	before := time.Now()
	for _, line := range []struct{ person, command, want string }{
		{"reader", "operators grant --first --yes --reason why " + ann, denied},
		{"operator", "operators grant --first --yes --reason why " + ann, denied},
		{"direct", "operators grant --first --yes --reason why " + ann, denied},
		{"first", "merchants list --direct", denied},
		{"first", "me", "Forbidden"},
		{"first", "operators grant --first --yes --reason why " + ann, ann + " is the first administrator\n"},
		{"first", "operators grant --first --yes --reason why bob", "somebody has a role already"},
	} {
		s.is(line.person)
		if out := s.do(line.command); !strings.Contains(out, line.want) {
			s.t.Errorf("%s, %s: %s", line.person, line.command, out)
		}
	}
	s.reachesNothingElse()
	s.is(endpoint.AdminKey)
	if all := s.entries(before); len(all) != 1 || all[0].What != "operator/"+ann || all[0].Reason != "why" ||
		!strings.HasSuffix(all[0].Who, "/firstRole/first") {
		s.t.Errorf("in the audit log: %+v", all)
	}
}

// Every command is typed by the reader and by the operator of infra/iam, and those on settings also by who has no admin
// API. The reader may look at everything and change nothing, the operator may change, too. Nobody has a right that no
// command needs, and every change has its document.
func TestWhatPeopleMayDo(t *testing.T) {
	s := newStackOfPeople(t)
	all := s.lines()
	all.hasAll(t)
	if n, err := s.copyAll(endpoint.AdminKey); n == 0 || err != nil {
		t.Fatalf("%d copied, %v", n, err)
	}
	const forbidden = "Forbidden (status 403)"
	agreed := func(line string) string {
		if strings.HasPrefix(line, "payments note ") {
			return line
		}
		return line + " --reason why --yes"
	}

	s.is("reader")
	s.reachesNothingElse()
	for _, line := range all.reads {
		if out := s.do(line); strings.Contains(out, "error: ") && !strings.Contains(out, "association file") {
			t.Errorf("reader, %s: %s", line, out)
		}
	}
	for _, line := range all.acts {
		if out := s.do(agreed(line)); !strings.Contains(out, forbidden) {
			t.Errorf("reader, %s: %s", line, out)
		}
	}
	refused := slices.Clone(all.whole)
	for _, one := range all.changes {
		refused = append(refused, one.line)
	}
	for _, line := range refused {
		if out := s.do(line); !strings.Contains(out, denied) {
			t.Errorf("reader, %s: %s", line, out)
		}
	}

	s.givesTheFirstRole()

	s.removeKeys()
	s.is("operator")
	s.reachesNothingElse()
	for _, line := range slices.Concat(all.reads, all.whole) {
		if out := s.do(line); strings.Contains(out, denied) || strings.Contains(out, "Forbidden") {
			t.Errorf("operator, %s: %s", line, out)
		}
	}
	for _, line := range all.acts {
		if out := s.do(agreed(line)); strings.Contains(out, "error: ") {
			t.Errorf("operator, %s: %s", line, out)
		}
	}
	before := time.Now()
	s.watches = true
	for _, one := range all.changes {
		if s.is("operator"); one.person != "operator" {
			if out := s.do(one.line); !strings.Contains(out, denied) {
				t.Errorf("operator, %s: %s", one.line, out)
			}
		}
		s.is(one.person)
		if out := s.do(one.line); strings.Contains(out, "error: ") {
			t.Errorf("%s, %s: %s", one.person, one.line, out)
		}
	}
	s.watches = false
	s.reachesNothingElse()
	for _, line := range all.reads {
		if !strings.HasPrefix(line, "merchants ") || strings.Contains(line, "credentials") {
			continue
		}
		if out := s.do(line + " --direct"); strings.Contains(out, "error: ") {
			t.Errorf("direct, %s: %s", line, out)
		}
	}
	s.do("use " + s.stack)
	s.usesAll()
	s.is(endpoint.AdminKey)
	all.areAudited(t, s.entries(before))
}

// removeKeys removes the keys to which secrets are sealed and the one of fingerprints, so that whoever stores the next
// secret makes others.
func (s *stackOfPeople) removeKeys() {
	s.t.Helper()
	keys := []store.Key{store.DataKeyKey(string(settings.FingerprintUse))}
	for _, use := range settings.SecretUses {
		keys = append(keys, store.KeyPairKey(string(use)))
	}
	for _, key := range keys {
		if err := s.docs.Save(s.t.Context(), time.Now(), store.Record{Key: key, Delete: true}); err != nil {
			s.t.Fatal(err)
		}
	}
}

// What commands change together with its audit document, nobody with a policy of infra/iam changes by itself, nor
// deletes, even with further rights on the table.
func TestNobodyWritesAroundTheCommands(t *testing.T) {
	s := newStackOfPeople(t)
	now, inLog := time.Now(), store.Key{Partition: "audit/0", Sort: "0"} // of no day, so that it is put by itself
	written := map[string][]store.Key{
		"direct": {
			store.SettingsKey("demo"), store.MerchantIndexKey("demo"), store.AccessKey("demo-test"),
			store.SecretKey("password", "demo"), inLog,
		},
		"first": {store.GrantsKey(), inLog},
	}
	written["privileged"] = slices.Concat(written["direct"], written["first"])
	written["operator"] = written["privileged"]
	for person, keys := range written {
		s.is(person)
		docs := s.open()
		for _, key := range keys {
			for does, records := range map[string][]store.Record{
				"writes":  {store.Encode(key, 0, "x")},
				"deletes": {{Key: key, Delete: true}},
				"deletes in a transaction": {
					{Key: key, Delete: true}, store.Encode(store.SettingsVersionKey("demo", 1), 0, "x")},
			} {
				if err := docs.Save(t.Context(), now, records...); err == nil || !strings.Contains(err.Error(), denied) {
					t.Errorf("%s %s %v: %v", person, does, key, err)
				}
			}
		}
	}
	s.is("privileged")
	if err := s.open().Save(t.Context(), now, store.Encode(store.SavedCardKey("x"), 0, "x")); err != nil {
		t.Errorf("further rights are none: %v", err) // else the above proves nothing of the denials
	}
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
	begin := time.Now()
	for _, one := range all.changes {
		if out := s.do(one.line); !strings.Contains(out, "ask AWS who calls") {
			t.Errorf("%s: %s", one.line, out)
		}
	}
	if now := s.entries(begin); len(now) > 0 {
		t.Errorf("there is something new: %v", now)
	}
}

// entries are the documents of changes since a time.
func (s *stackOfPeople) entries(since time.Time) []audit.Entry {
	s.t.Helper()
	page, err := audit.List(s.t.Context(), s.docs, audit.Query{Since: since, Until: time.Now(), Limit: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	return page.Entries
}

// areAudited checks that there is one document of each change, without a secret.
func (all lines) areAudited(t *testing.T, entries []audit.Entry) {
	t.Helper()
	for _, one := range all.changes {
		if !slices.ContainsFunc(entries, func(e audit.Entry) bool {
			return e.Who == "arn:aws:sts::"+testAccount+":assumed-role/"+one.person+"Role/"+one.person && e.By == one.by() &&
				e.Command == one.command && e.What == one.what && e.Reason == "why" &&
				strings.Contains(strings.Join(e.Changes, "\n"), one.change)
		}) {
			t.Errorf("%s has no document in\n%v", one.line, entries)
		}
	}
	if len(entries) != len(all.changes) {
		t.Errorf("not one document for each change:\n%v", entries)
	}
	for _, secret := range []string{"another-password-1", "another-key-1", "whsec_", "PRIVATE KEY"} {
		if strings.Contains(fmt.Sprint(entries), secret) {
			t.Errorf("%s is shown", secret)
		}
	}
}

// usesAll checks that every action, resource and value of a condition in people's policies was needed.
func (s *stackOfPeople) usesAll() {
	for person, statements := range s.policies {
		for i, statement := range statements {
			if statement.Deny {
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
