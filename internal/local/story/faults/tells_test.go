package faults

import (
	"bytes"
	"strings"

	"checkout/internal/callback"
	"checkout/internal/store"
)

// The planted bugs of this file are faults of what the merchant is told, and of captures and retries.

// changeCallbacks replaces texts in the fields of callbacks of an event among records.
func changeCallbacks(records []store.Record, event string, texts ...string) []store.Record {
	for i, r := range records {
		if strings.HasPrefix(r.Key.Sort, "callback/") && strings.Contains(string(r.Doc), event) {
			records[i].Doc = []byte(strings.NewReplacer(texts...).Replace(string(r.Doc)))
		}
	}
	return records
}

// tellsAmounts tells of each refund as one of more.
func tellsAmounts(_ *faultRun, records []store.Record) []store.Record {
	return changeCallbacks(records, `"type":"refund"`, `"transaction_amount":"`, `"transaction_amount":"1`)
}

func tellsSuccess(_ *faultRun, records []store.Record) []store.Record {
	return changeCallbacks(records, `"order_status":"decline"`, `"status":"fail"`, `"status":"success"`)
}

// tellsSettled tells that a payment is settled when its outcome is unknown.
func tellsSettled(_ *faultRun, records []store.Record) []store.Record {
	return changeCallbacks(records, `"status":"undefined"`, `"order_status":"prepare"`, `"order_status":"settled"`)
}

func storesSuccess(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		all, _ := p["transactions"].([]any)
		for _, t := range all {
			if end := t.(map[string]any); end["type"] == "refund" && end["succeeded_at"] == nil {
				end["status"] = "success"
			}
		}
	})
}

// seesNoCaptures reads payments without the captures that are under way.
func seesNoCaptures(_ *faultRun, records []store.Record) []store.Record {
	return withoutJobs(records, "capture")
}

// seesNoRetry reads declined payments as if nobody had retried them.
func seesNoRetry(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) { delete(p, "retried_by") })
}

// hashesAnother sends callbacks whose hash is of another amount than they have.
func hashesAnother(_ *faultRun, out callback.Outgoing) callback.Outgoing {
	out.Body = bytes.Replace(out.Body, []byte("order_amount=1"), []byte("order_amount=2"), 1)
	return out
}
