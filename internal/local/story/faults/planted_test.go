package faults

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/store"
)

// plantedBug is a bug that runs have to find. The zero value is none.
type plantedBug struct {
	name    string
	found   string      // in what is wrong then
	method  faultMethod // of all orders; the zero value is faultMethods[0]
	connect func(x *faultRun)
	read    func(x *faultRun, records []store.Record) []store.Record
	write   func(x *faultRun, records []store.Record) []store.Record
	send    func(x *faultRun, out callback.Outgoing) callback.Outgoing
}

func (b plantedBug) sends(x *faultRun, out callback.Outgoing) callback.Outgoing {
	if b.send == nil {
		return out
	}
	return b.send(x, out)
}

func (b plantedBug) reads(x *faultRun, records []store.Record) []store.Record {
	if b.read == nil {
		return records
	}
	return b.read(x, records)
}

func (b plantedBug) writes(x *faultRun, records []store.Record) []store.Record {
	if b.write == nil {
		return records
	}
	return b.write(x, records)
}

// plantedBugs are one bug of each kind.
var plantedBugs = []plantedBug{
	{
		name: "second charge after a time limit", connect: buggy(bugs{charge: chargesAgain}),
		found: "the provider charged it 2 times",
	},
	{name: "refund sent twice", connect: buggy(bugs{refundsAgain: true}), found: "was sent again"},
	{
		name: "unknown taken for declined", connect: buggy(bugs{charge: declinesUnknown}),
		found: "is told as failed, and the provider has executed it",
	},
	{
		name: "unknown taken for not sent", connect: buggy(bugs{charge: forgetsSent}),
		found: "charged it 2 times",
	},
	{
		name: "look-up not done", connect: buggy(bugs{noLookUp: true}),
		found: "neither final nor left to a person",
	},
	{
		name: "notice believed unsigned", connect: buggy(bugs{notice: believesAll}),
		found: "and the provider has not executed it",
	},
	{
		name: "dispute ignored", connect: buggy(bugs{notice: ignoresDisputes}),
		found: "by what the provider has done it is [chargeback",
	},
	{name: "callback before store", write: tellsBefore, found: "the shop was told"},
	{name: "callback lost at the kill", write: forgetsCallbacks, found: "was not taken"},
	{name: "refund not reserved", read: seesNoRefunds, found: "none is stored"},
	{name: "capture above the authorised amount", read: seesMore, found: "a capture of"},
	{name: "sealed card not deleted", write: keepsSealed, found: "is left over"},
	{name: "card number logged", connect: buggy(bugs{charge: logsCard}), found: "the log has a card number"},
	{name: "job not stored", write: forgetsJobs, found: "nothing is to be done"},
	{name: "lease shorter than clocks differ", read: shortensLeases, found: "while it was on its way"},
	{
		name: "replaced secret signs for ever", read: keepsSecrets,
		found: "signed with a secret that is not valid",
	},
	{
		name: "replaced password taken for ever", read: keepsSecrets,
		found: "with a password that was replaced",
	},
	{name: "order taken twice at once", write: forgetsOrders, found: "was accepted twice within"},
	{
		name: "orders mixed up", connect: buggy(bugs{charge: mixesOrders}),
		found: "the provider was asked for",
	},
	{name: "callback of another shop", send: tellsAnother, found: "which is not stored"},
	{
		name: "use of a token not stored", write: forgetsTokens, found: "one token was sent for the payments",
		method: faultMethod{"adapter", "googlepay"},
	},
	{
		name: "security code logged", connect: buggy(bugs{charge: logsCode}),
		found: "the log has a security code",
	},
	{
		name: "refund of a minor unit less", connect: buggy(bugs{refund: refundsLess}),
		found: "was executed as one of",
	},
	{name: "refund of another amount stored", write: storesLess, found: "nobody asked for that"},
	{
		name: "refund sent again after no response", connect: buggy(bugs{refund: refundsUnknownAgain}),
		found: "was executed 2 times",
	},
	{
		name: "declined refund told as success", connect: buggy(bugs{refund: refundsAlways}),
		found: "has not executed it",
	},
	{name: "void stored as a refund", write: refundsVoids, found: "voids were accepted"},
	{name: "refund stored beside a void", read: seesNoVoids, found: "voids were accepted"},
	{name: "callback of a void left out", write: tellsNoVoid, found: "the shop was told"},
	{name: "webhook-id of its own for each try", send: changesID, found: "which is not stored"},
	{name: "callback deleted after two tries", write: dropsCallbacks, found: "want"},
	{
		name: "exponent of another currency", connect: buggy(bugs{charge: chargesUnits}),
		found: "the provider was asked for",
	},
	{
		name: "other amount believed", connect: buggy(bugs{believesAmounts: true}),
		found: "and no person has decided",
	},
	{
		name: "look-up of another reference", connect: buggy(bugs{looksUpFirst: true}),
		found: "has not executed it",
	},
	{name: "session complete by a decline", write: completesAll, found: "says paid: true"},
	{name: "job in a queue alone", write: forgetsDue, found: "neither final nor left to a person"},
	{name: "stale worker overwrites", write: overwrites, found: "is still open"},
	{
		name: "cascade after unknown", connect: buggy(bugs{charge: cascadesUnknown}),
		found: "charged it 2 times",
	},
	{name: "sent charge moved to another MID", read: movesSent, found: "was executed 2 times"},
	{
		name: "dispute of another payment", connect: buggy(bugs{notice: disputesFirst}),
		found: "by what the provider has done",
	},
	{name: "act not in the audit log", write: forgetsAudit, found: "and the audit log has"},
	{name: "key of an operator not stored", write: forgetsKeys, found: "are stored"},
	{name: "idempotency record without effect", write: forgetsEffects, found: "were accepted"},
	{
		name: "authorisation captured at once", connect: buggy(bugs{charge: capturesAtOnce}),
		found: "and that was wanted: true",
	},
	{name: "whole capture stored for a part", write: capturesAll, found: "captured"},
	{name: "callback of another amount", write: tellsAmounts, found: "the shop was told"},
	{name: "decline told as success", write: tellsSuccess, found: "the shop was told"},
	{name: "declined refund stored as success", write: storesSuccess, found: "has not executed it"},
	{name: "capture beside a capture", read: seesNoCaptures, found: "none is stored"},
	{name: "payment retried twice", read: seesNoRetry, found: "2 retries of payment"},
	{name: "hash of another amount", send: hashesAnother, found: "has a wrong hash"},
	{
		name: "not found believed at once", connect: believesNotFound, found: "was executed",
		method: faultMethod{"brandcard", "card_brand_a"},
	},
	{name: "status before it is true", write: tellsSettled, found: "each outcome has a callback that says it"},
	{name: "lock of an order taken for an earlier session", read: forgetsLocks, found: "one is carried out"},
	{name: "decision before another is executed", read: decidesAgain, found: "a request has one decision"},
	{name: "removed card charged", read: forgetsRemoval, found: "a removed card"},
	{name: "date of a schedule skipped", write: countsTwice, found: "a chain charges each date"},
	{name: "test payments due among live ones", write: mixesModes, found: "among those of"},
	{name: "move of a status forgotten", write: forgetsHistory, found: "what has happened stays as it was stored"},
}

// tellsBefore tells the shop of a callback before it is stored.
func tellsBefore(x *faultRun, records []store.Record) []store.Record {
	for _, r := range records {
		var c callback.Callback
		isNew := strings.HasPrefix(r.Key.Sort, "callback/") && r.Version == 0
		r.Version = 1
		if !isNew || r.Decode(&c) != nil {
			continue
		}
		fields := url.Values{}
		for _, f := range c.Fields {
			fields.Set(f.Name, f.Value)
		}
		out := callback.Outgoing{Header: map[string]string{"webhook-id": c.ID}, Body: []byte(fields.Encode())}
		x.shopOf(c.Merchant).gets(out, http.StatusOK)
	}
	return records
}

// forgetsCallbacks stores callbacks that no sweep finds.
func forgetsCallbacks(_ *faultRun, records []store.Record) []store.Record {
	for i := range records {
		if records[i].DueKind == store.DueCallback {
			records[i].DueAt, records[i].DueKind = time.Time{}, ""
		}
	}
	return records
}

// keepsSealed leaves the sealed card where it is.
func keepsSealed(_ *faultRun, records []store.Record) []store.Record {
	var kept []store.Record
	for _, r := range records {
		if !r.Delete || !strings.HasPrefix(r.Key.Partition, "vault/card/") {
			kept = append(kept, r)
		}
	}
	return kept
}

// forgetsJobs stores payments without their captures and refunds.
func forgetsJobs(x *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if p["status"] == "prepare" {
			delete(p, "jobs")
		}
	})
}

// seesNoRefunds reads payments without the refunds that are under way.
func seesNoRefunds(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		jobs, _ := p["jobs"].([]any)
		var others []any
		for _, j := range jobs {
			if job := j.(map[string]any); job["kind"] != "refund" || job["sent_at"] == nil {
				others = append(others, j)
			}
		}
		p["jobs"] = others
	})
}

// seesMore reads a larger authorised amount than there is.
func seesMore(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if p["status"] == "pending" {
			p["amount"] = "100.00"
		}
	})
}

// changePayments changes the payments among records.
func changePayments(records []store.Record, change func(map[string]any)) []store.Record {
	for i, r := range records {
		var p map[string]any
		if !strings.HasSuffix(r.Key.Sort, "/payment") || json.Unmarshal(r.Doc, &p) != nil {
			continue
		}
		change(p)
		records[i].Doc, _ = json.Marshal(p)
	}
	return records
}

// shortensLeases reads jobs as if they had been sent before, so that their lease ends after a second.
func shortensLeases(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		jobs, _ := p["jobs"].([]any)
		for _, j := range jobs {
			job := j.(map[string]any)
			text, _ := job["sent_at"].(string)
			if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
				job["sent_at"] = at.Add(-39 * time.Second)
			}
		}
	})
}

// keepsSecrets reads replaced secrets as if their overlap went on.
func keepsSecrets(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		var secret map[string]any
		if !strings.HasPrefix(r.Key.Partition, "secret/") || json.Unmarshal(r.Doc, &secret) != nil || secret["old"] == nil {
			continue
		}
		secret["old_until"] = time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
		records[i].Doc, _ = json.Marshal(secret)
	}
	return records
}

// forgetsOrders stores sessions without the lock of their order.
func forgetsOrders(_ *faultRun, records []store.Record) []store.Record {
	return slices.DeleteFunc(records, func(r store.Record) bool { return r.Key.Sort == "duplicate" })
}

// forgetsTokens stores payments without the use of their tokens.
func forgetsTokens(_ *faultRun, records []store.Record) []store.Record {
	return slices.DeleteFunc(records, func(r store.Record) bool { return r.Key.Sort == "wallet" })
}

// tellsAnother sends callbacks to the last shop, whosever they are.
func tellsAnother(x *faultRun, out callback.Outgoing) callback.Outgoing {
	out.URL = x.shops[len(x.shops)-1].address() + "live"
	return out
}
