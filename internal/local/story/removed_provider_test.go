package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
)

// losesJobs makes all job messages get lost, or ends that. The sweep sends them later.
func (w *World) losesJobs(lost bool) {
	w.queue.lose = nil
	if lost {
		w.queue.lose = loseJobs
	}
}

// replaced changes a text of the shop's settings until back is called.
func (w *World) replaced(text func(m *settings.Merchant) *string, by string) (back func()) {
	before := *text(&w.shop.merchant)
	w.shop.set(func(m *settings.Merchant) { *text(m) = by })
	return func() { w.shop.set(func(m *settings.Merchant) { *text(m) = before }) }
}

// disappearances are the ways in which a payment's provider can be gone while its job waits, until back is called.
var disappearances = map[string]func(w *World) (back func()){
	"MID": func(w *World) func() {
		return w.replaced(func(m *settings.Merchant) *string { return &m.Mappings[0].MIDs[0].Name }, "another")
	},
	"mapping": func(w *World) func() {
		return w.replaced(func(m *settings.Merchant) *string { return &m.Mappings[0].Name }, "another")
	},
	"connector of the MID": func(w *World) func() {
		return w.replaced(func(m *settings.Merchant) *string { return &m.Mappings[0].MIDs[0].Connector }, anotherBank)
	},
	"connector": func(w *World) func() {
		bank := w.app.Runner.Connectors[realBank]
		delete(w.app.Runner.Connectors, realBank)
		return func() { w.connects(realBank, bank) }
	},
}

// waitingJobs has a job of each kind, with its payment's status before it and the events that the shop was told of.
var waitingJobs = []struct {
	name, auth string
	does       string // "": the charge itself
	before     string
	events     []string
	failed     string // the event if the job fails
	undecided  string // the event if its outcome is unknown
	succeeded  string
}{
	{"charge", "no", "", "prepare", nil, "sale fail decline", "sale undefined prepare", "sale success settled"},
	{"capture", "yes", "capture 4.00", "pending", []string{"sale success pending"},
		"capture fail pending", "capture undefined pending", "capture success settled"},
	{"void", "yes", "void", "pending", []string{"sale success pending"},
		"void fail pending", "void undefined pending", "void success void"},
	{"refund", "no", "refund 4.00", "settled", []string{"sale success settled"},
		"refund fail settled", "refund undefined settled", "refund success settled"},
}

// The provider is gone before a job was sent: the job fails, and nothing is sent. The merchant can repeat the request
// when the provider is back.
func TestProviderGoneBeforeTheRequest(t *testing.T) {
	for name, disappears := range disappearances {
		for i, job := range waitingJobs {
			if i > 0 && name != "MID" {
				continue // all jobs go to their provider in the same way
			}
			t.Run(name+" "+job.name, func(t *testing.T) {
				w := open(t, operations)
				bank := &provider{}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1", with("auth", job.auth))
				if job.does == "" {
					w.losesJobs(true)
				}
				payer.pays("01/38")
				if job.does != "" {
					w.losesJobs(true)
					w.shop.does(job.does, payer.paymentID())
				}
				requests := len(bank.charges)
				payer.is(job.before)
				back := disappears(w)
				w.losesJobs(false)
				w.skip(time.Minute) // until cached settings expire
				w.pass(2 * time.Minute)
				w.shop.told(append(job.events, job.failed)...)
				if len(bank.charges) != requests || len(bank.followUps) > 0 {
					t.Errorf("the provider got %v, %v", bank.charges, bank.followUps)
				}
				back()
				w.skip(time.Minute)
				if job.does == "" {
					payer.is("decline (The payment could not be carried out.)")
					payer.pays("01/38")
				} else {
					payer.is(job.before)
					w.shop.does(job.does, payer.paymentID())
				}
				w.work()
				w.shop.told(append(job.events, job.failed, job.succeeded)...)
			})
		}
	}
}

// The provider is gone when the outcome of a job is unknown: the job is neither declined nor sent again. It is looked
// up when the provider is back.
func TestProviderGoneAfterTheRequest(t *testing.T) {
	for name, disappears := range disappearances {
		for i, job := range waitingJobs {
			if i > 0 && name != "connector" {
				continue
			}
			t.Run(name+" "+job.name, func(t *testing.T) {
				w := open(t, operations)
				bank := silent()
				if job.does != "" {
					bank.charge = nil
				}
				w.goesLive(bank)
				payer := w.shop.visits("pen-1", with("auth", job.auth))
				payer.pays("01/38")
				if job.does != "" {
					w.shop.does(job.does, payer.paymentID())
					w.work()
				}
				back := disappears(w)
				w.skip(time.Minute)
				looked := len(bank.lookUps)
				w.pass(3 * time.Hour)
				payer.is(job.before)
				w.shop.told(append(job.events, job.undecided)...)
				if len(bank.lookUps) != looked {
					t.Errorf("looked up %d times while it was gone", len(bank.lookUps)-looked)
				}
				if n := strings.Count(w.log.String(), `"no such MID or connector"`); n == 0 || n > 10 {
					t.Errorf("logged %d times in three hours", n)
				}
				bank.lookUp = onFollowUp(approved)
				back()
				w.skip(time.Minute)
				w.pass(2 * time.Hour)
				w.shop.told(append(job.events, job.undecided, job.succeeded)...)
				if requests := len(bank.charges) + len(bank.followUps); requests != 1+len(job.events) {
					t.Errorf("%d provider requests", requests)
				}
			})
		}
	}
}

// A disabled MID takes no retry, and a removed one no recurring payment.
func TestChainOfMIDThatIsGone(t *testing.T) {
	for name, change := range map[string]func(*settings.MID){
		"disabled": func(m *settings.MID) { m.Disabled = true },
		"removed":  func(m *settings.MID) { m.Name = "another" },
	} {
		w := open(t, operations)
		c := w.shop.begins("pen-1", "02/41")
		_, declined := c.charge("pen-2", "5.00")
		w.shop.set(func(m *settings.Merchant) { change(&m.Mappings[0].MIDs[0]) })
		w.skip(time.Minute)
		if got := w.shop.retries(declined["payment_id"].(string)); got != "403 100000 Access denied." {
			t.Errorf("%s: retry: %s", name, got)
		}
		if got := inWords(c.charge("pen-3", "5.00")); got != "403 100000 Access denied." {
			t.Errorf("%s: recurring: %s", name, got)
		}
		w.ledgerIs("1 x 10.00 USD approved", "1 x 5.00 USD declined")
	}
}

// A MID was moved to another provider: the old one doesn't get the new credentials, and the new one gets no refund of a
// payment that it doesn't know.
func TestMIDMovedToAnotherProvider(t *testing.T) {
	w := open(t, operations, func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": "of the first bank"}
	})
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	w.shop.set(func(m *settings.Merchant) {
		m.Mappings[0].MIDs[0].Connector = anotherBank
		m.Mappings[0].MIDs[0].Credentials = map[string]string{"secret": "of the other bank"}
	})
	w.skip(2 * time.Minute)
	if got := w.shop.refunds(payer.paymentID(), "1.00"); got != "200 accepted" {
		t.Errorf("refund: %s", got)
	}
	w.work()
	for _, q := range bank.followUps {
		t.Errorf("the first bank was sent the secret %q", q.Credentials["secret"])
	}
	w.shop.told("sale success settled", "refund fail settled")
}
