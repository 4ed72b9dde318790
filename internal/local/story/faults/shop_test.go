package faults

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/local/client"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
)

// faultShop is a shop of a faultRun, whose operator changes settings and replaces secrets meanwhile.
type faultShop struct {
	*story.Shop
	x        *faultRun
	suffix   string // of its id and keys
	mood     mood
	test     bool                   // its payments are in test mode, and made by the sandbox
	accounts [2]string              // its keys at Stripe
	secrets  map[string][]faultTerm // keys, passwords and callback secrets, the latest last
	changed  bool                   // meanwhile
	accepted []faultAcceptance
}

// faultTerm is for how long a key or secret is valid.
type faultTerm struct {
	text         string
	since, until time.Time // until zero: still
	atOnce       bool      // it ended without an overlap, or before that was over
}

// faultAcceptance is an accepted session of an order, and when the request began and ended.
type faultAcceptance struct {
	number     string
	began, end time.Time
}

// settlesWithin is how long a change of settings takes to be known to every instance, at the most.
const settlesWithin = time.Minute + 3*maxSkew

// opens adds the shop's merchant, with keys and secrets of its own.
func (s *faultShop) opens() {
	x := s.x
	s.accounts = [2]string{simulator.Key + "_1" + s.suffix, simulator.Key + "_2" + s.suffix}
	s.Joins(s.suffix, s.setUp, func(m *settings.Merchant) {
		m.Password += s.suffix
		m.NotificationURL, m.TestNotificationURL = "https://"+m.ID+".example/live", "https://"+m.ID+".example/test"
		m.CallbackJSON = new(x.n(3) == 0)
	})
	s.secrets = map[string][]faultTerm{}
	for what, text := range s.inUse() {
		s.secrets[what] = []faultTerm{{text: *text, since: x.Clock.Now().Add(-time.Hour)}}
	}
	s.addsEndpoints()
}

// shopOf is the shop with a merchant id.
func (x *faultRun) shopOf(id string) *faultShop {
	i := slices.IndexFunc(x.shops, func(s *faultShop) bool { return s.Settings().ID == id })
	return x.shops[max(i, 0)]
}

// inUse are the key and secrets that the shop uses.
func (s *faultShop) inUse() map[string]*string {
	key := &s.Settings().LiveKey
	if s.test {
		key = &s.Settings().TestKey
	}
	return map[string]*string{
		"key": key, "password": &s.Settings().Password, "callback-secret": &s.Settings().CallbackSecret,
	}
}

// set changes settings but no keys and secrets, as an operator's file does that leaves them out.
func (s *faultShop) set(change func(*settings.Merchant)) {
	change(s.Settings())
	saved := *s.Settings()
	saved.LiveKey, saved.TestKey, saved.Password, saved.CallbackSecret = "", "", "", ""
	if err := s.x.App.Merchants.Save(context.Background(), saved); err != nil {
		s.x.Fatalf("save merchant: %v", err)
	}
}

// setUp gives the shop the MIDs of the world's families. Cards have two, of two accounts, and
// so has an adapter, of one.
func (s *faultShop) setUp(m *settings.Merchant) {
	m.Disabled, m.Mappings[0].SaveCards, m.Schedules = false, true, []settings.Schedule{daily}
	m.Mappings[0].MIDs, m.Wallets = nil, story.WalletSettings(s.x.test, true)
	for _, o := range s.x.planned {
		family := o.method.family
		if slices.ContainsFunc(m.Mappings[0].MIDs, func(mid settings.MID) bool { return mid.Connector == family }) {
			continue
		}
		mid := s.mid(family)
		m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		if family == "stripe" {
			mid.Name, mid.Credentials = family+"-2", maps.Clone(mid.Credentials)
			mid.Credentials["key"] = s.accounts[1]
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		}
		if family == "adapter" {
			mid.Name = family + "-2"
			m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, mid)
		}
	}
}

func (s *faultShop) mid(family string) settings.MID {
	can := s.x.App.Core.Declarations[family]
	mid := settings.MID{
		Name: family, Connector: family, Operations: can.Operations,
		Credentials: map[string]string{
			"url": providerURL + "/" + family, "key": simulator.Key, "secret": simulator.Secret,
			"webhook_secret": simulator.Secret, "raw_cards": "true",
		},
	}
	for _, m := range faultMethods {
		if m.family == family && !slices.Contains(mid.Methods, m.id) {
			mid.Methods = append(mid.Methods, m.id)
		}
	}
	maps.Copy(mid.Credentials, story.CredentialsOf[family])
	if family == "stripe" {
		mid.Credentials["key"] = s.accounts[0]
	}
	maps.DeleteFunc(mid.Credentials, func(name, _ string) bool { return !can.HasCredential(name) })
	return mid
}

// addsEndpoints has the accounts at Stripe send their events to the addresses of their MIDs.
func (s *faultShop) addsEndpoints() {
	found, err := s.x.App.Merchants.Read(context.Background(), s.Settings().ID)
	if err != nil {
		s.x.Fatalf("notice addresses: %v", err)
	}
	for _, notice := range found.Notices {
		key, isStripe := map[string]string{"stripe": s.accounts[0], "stripe-2": s.accounts[1]}[notice.MID]
		if !isStripe {
			continue
		}
		form := "url=" + serviceURL + notice.Path + "&enabled_events[0]=*"
		r, _ := http.NewRequest("POST", providerURL+"/stripe/v1/webhook_endpoints", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer "+key)
		s.x.calm = true
		response, err := s.x.overProvider(r)
		if err != nil || response.StatusCode != 200 {
			s.x.Fatalf("endpoint: %v %v", response, err)
		}
		response.Body.Close()
		s.x.calm = false
	}
}

// rotates replaces a key or secret. With an overlap the shop uses the new one when every instance knows it.
func (s *faultShop) rotates() {
	x := s.x
	what := pick(x, []string{"key", "password", "callback-secret"})
	overlap := pick(x, []time.Duration{0, 5 * time.Minute, 20 * time.Minute})
	now := x.Clock.Now()
	value, err := x.App.Merchants.Rotate(context.Background(), change.Rotation{
		Merchant: s.Settings().ID, What: s.mode(what), Overlap: overlap,
	})
	if err != nil {
		x.Fatalf("rotate: %v", err)
	}
	x.counts("rotated " + what)
	all := s.secrets[what]
	for i := range all {
		if all[i].until.IsZero() {
			all[i].until, all[i].atOnce = now.Add(overlap), overlap == 0
		} else if all[i].until.After(now) {
			all[i].until, all[i].atOnce = now, true
		}
	}
	s.secrets[what] = append(all, faultTerm{text: value, since: now})
	uses := func() { *s.inUse()[what] = s.secrets[what][len(s.secrets[what])-1].text }
	if overlap == 0 {
		uses()
		return
	}
	x.after(x.between(settlesWithin, overlap-time.Minute), uses)
}

// mode is what operators call one of the shop's keys and secrets.
func (s *faultShop) mode(what string) string {
	if s.test && what == "key" {
		return "test-key"
	}
	return what
}

// gets notes a callback that has arrived.
func (s *faultShop) gets(out callback.Outgoing, status int) {
	header := http.Header{"Content-Type": {out.ContentType}}
	for name, value := range out.Header {
		header.Set(name, value)
	}
	if out.ContentType == "application/json" {
		s.x.counts("JSON")
	}
	callback, err := client.ReadCallback(header, out.Body)
	if err != nil {
		s.x.Errorf("a callback can't be read: %v", err)
	}
	s.Add(story.Received{Callback: callback, Status: status, At: s.x.Clock.Now()})
}

// validAt reports whether a key or secret may be used at a time, and whether it has to be.
func (t faultTerm) validAt(at time.Time) (may, must bool) {
	late := 2 * maxSkew
	if t.atOnce {
		late = settlesWithin
	}
	may = !at.Before(t.since.Add(-2*maxSkew)) && (t.until.IsZero() || at.Before(t.until.Add(late)))
	must = !at.Before(t.since.Add(settlesWithin)) && (t.until.IsZero() || at.Before(t.until.Add(-2*maxSkew)))
	return may, must
}

// signedRight checks that a callback is signed with every secret that is valid, and with none that is not.
func (s *faultShop) signedRight(got story.Received) {
	for _, term := range s.secrets["callback-secret"] {
		signed := client.Merchant{CallbackSecret: term.text}.CheckSignature(got.Callback) == nil
		switch may, must := term.validAt(got.At); {
		case signed && !may:
			s.x.Errorf("%s is signed with a secret that is not valid", got.ID())
		case !signed && must:
			s.x.Errorf("%s is not signed with a secret that is valid", got.ID())
		}
	}
}

// saysAsStored reports whether a callback has what is stored of it, and its hash.
func saysAsStored(got story.Received, c callback.Callback) bool {
	for _, f := range c.Fields {
		if got.Fields.Get(f.Name) != f.Value {
			return false
		}
	}
	return len(got.Fields) == len(c.Fields)+1
}

// hashedRight checks that the hash of a callback is made with a password that was valid when it was sent.
func (s *faultShop) hashedRight(got story.Received) {
	right := slices.ContainsFunc(s.secrets["password"], func(term faultTerm) bool {
		by := client.Merchant{Password: term.text, SHA256: s.Settings().SHA256}
		may, _ := term.validAt(got.At)
		return may && got.Fields.Get("hash") == by.Hash(got.Signed()...)
	})
	if !right {
		s.x.Errorf("%s has a wrong hash", got.ID())
	}
}
