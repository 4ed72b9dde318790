package faults

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/store"
)

// The planted bugs of this file are faults of what is stored, read or told.

// changeJobs changes the jobs of payments among records.
func changeJobs(records []store.Record, change func(payment, job map[string]any)) []store.Record {
	return changePayments(records, func(p map[string]any) {
		jobs, _ := p["jobs"].([]any)
		for _, j := range jobs {
			change(p, j.(map[string]any))
		}
	})
}

// storesLess stores refunds of more as such of 0.50.
func storesLess(_ *faultRun, records []store.Record) []store.Record {
	return changeJobs(records, func(_, job map[string]any) {
		if job["kind"] == "refund" {
			job["amount"] = "0.50"
		}
	})
}

func refundsVoids(_ *faultRun, records []store.Record) []store.Record {
	return changeJobs(records, func(_, job map[string]any) {
		if job["kind"] == "void" {
			job["kind"] = "refund"
		}
	})
}

// seesNoVoids reads payments without the voids that are under way.
func seesNoVoids(_ *faultRun, records []store.Record) []store.Record {
	return withoutJobs(records, "void")
}

// withoutJobs leaves out the jobs of a kind.
func withoutJobs(records []store.Record, kind string) []store.Record {
	return changePayments(records, func(p map[string]any) {
		jobs, _ := p["jobs"].([]any)
		p["jobs"] = slices.DeleteFunc(jobs, func(j any) bool { return j.(map[string]any)["kind"] == kind })
	})
}

// capturesAll stores a capture of a part as one of all.
func capturesAll(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if p["captured"] != nil {
			p["captured"] = p["amount"]
		}
	})
}

// movesSent reads charges whose outcome is unknown as those of another MID.
func movesSent(_ *faultRun, records []store.Record) []store.Record {
	return changeJobs(records, func(p, job map[string]any) {
		if job["kind"] == "charge" && job["unknown_since"] != nil && p["mid"] == "stripe" {
			p["mid"] = "stripe-2"
		}
	})
}

// forgetsDue stores jobs that no sweep finds.
func forgetsDue(_ *faultRun, records []store.Record) []store.Record {
	for i := range records {
		if records[i].DueKind == store.DuePayment {
			records[i].DueAt, records[i].DueKind = time.Time{}, ""
		}
	}
	return records
}

// overwrites stores payments whatever was stored since they were read.
func overwrites(x *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		if !strings.HasSuffix(r.Key.Sort, "/payment") {
			continue
		}
		stored, err := x.App.Store.Get(context.Background(), x.Clock.Now(), r.Key)
		if err == nil {
			records[i].Version = stored[0].Version
		}
	}
	return records
}

// forgetsEffects stores idempotency records without what the call changes.
func forgetsEffects(_ *faultRun, records []store.Record) []store.Record {
	isOnce := func(r store.Record) bool { return strings.HasPrefix(r.Key.Partition, "idempotency/") }
	if !slices.ContainsFunc(records, isOnce) {
		return records
	}
	return slices.DeleteFunc(records, func(r store.Record) bool {
		return r.Version > 0 && strings.HasSuffix(r.Key.Sort, "/payment")
	})
}

// completesAll stores sessions without attempts left as complete.
func completesAll(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		if strings.Contains(r.Key.Sort, "/session/") {
			records[i].Doc = []byte(strings.Replace(string(r.Doc), `"state":"declined"`, `"state":"complete"`, 1))
		}
	}
	return records
}

// tellsNoVoid stores voids without their callback.
func tellsNoVoid(_ *faultRun, records []store.Record) []store.Record {
	return slices.DeleteFunc(records, func(r store.Record) bool {
		return strings.HasPrefix(r.Key.Sort, "callback/") && strings.Contains(string(r.Doc), `"void"`)
	})
}

// dropsCallbacks deletes callbacks after two tries.
func dropsCallbacks(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		var c callback.Callback
		if strings.HasPrefix(r.Key.Sort, "callback/") && r.Decode(&c) == nil && len(c.Tries) >= 2 {
			records[i].Delete = c.State == callback.Waiting
		}
	}
	return records
}

// forgetsLocks reads the lock of an order as if it had been taken by a clock ahead, which the service once took for
// an earlier session.
func forgetsLocks(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		isLock := string(r.Doc) == "{}" || strings.HasPrefix(string(r.Doc), `{"payment":`)
		if isLock && strings.HasPrefix(r.Key.Partition, "order/") {
			records[i].Doc = []byte(`{"created_at":"2020-01-01T00:00:00Z"}`)
		}
	}
	return records
}

// decidesAgain reads what a person has decided as if nobody had, before that is executed.
func decidesAgain(_ *faultRun, records []store.Record) []store.Record {
	return changeJobs(records, func(_, job map[string]any) {
		if job["kind"] == "contradiction" && job["decision"] != nil {
			delete(job, "decision")
			job["person"] = true
		}
	})
}

// forgetsRemoval reads saved cards as if no payer had removed them.
func forgetsRemoval(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		var saved map[string]any
		if r.Key.Sort == "card" && json.Unmarshal(r.Doc, &saved) == nil && saved["removed_at"] != nil {
			delete(saved, "removed_at")
			records[i].Doc, _ = json.Marshal(saved)
		}
	}
	return records
}

// countsTwice stores chains as if two dates of their schedule had passed with each charge.
func countsTwice(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		var chain map[string]any
		if !strings.HasPrefix(r.Key.Sort, "chain/") || json.Unmarshal(r.Doc, &chain) != nil {
			continue
		}
		if n, charged := chain["order_suffix"].(float64); charged {
			chain["order_suffix"] = n + 1
			records[i].Doc, _ = json.Marshal(chain)
		}
	}
	return records
}

// mixesModes stores what is due of test payments among live ones.
func mixesModes(_ *faultRun, records []store.Record) []store.Record {
	for i, r := range records {
		records[i].DueKind = store.DueKind(strings.TrimPrefix(string(r.DueKind), "test-"))
	}
	return records
}

// forgetsHistory stores payments without the first of their moves.
func forgetsHistory(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if moves, _ := p["moves"].([]any); len(moves) > 1 {
			p["moves"] = moves[1:]
		}
	})
}

// changesID has each try of a callback have an id of its own.
func changesID(x *faultRun, out callback.Outgoing) callback.Outgoing {
	id := out.Header["webhook-id"]
	for _, s := range x.shops {
		for _, got := range s.Received() {
			if got.Header.Get("webhook-id") == id {
				out.Header["webhook-id"] = id + "_again"
			}
		}
	}
	return out
}
