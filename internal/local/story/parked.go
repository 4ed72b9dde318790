package story

import (
	"encoding/binary"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/store"
)

// ParkedCallbacks makes n parked callbacks of a merchant's test payments, up to three of each, as an outage leaves
// them.
func ParkedCallbacks(merchant string, n int, now time.Time) (records []store.Record) {
	id := ""
	for i, seq := 0, 1; i < n; i, seq = i+1, seq+1 {
		c := callback.Callback{CreatedAt: now, State: callback.Parked}
		c.Merchant, c.Test = merchant, true
		if i == 0 || seq > 1+i%3 {
			hash := store.OrderHash(c.Text(), fmt.Sprint("pen-", i))
			id, seq = store.NewPaymentID(hash, now, binary.BigEndian.AppendUint32(nil, uint32(i))), 1
		}
		c.PaymentID, c.Seq = id, seq
		c.Fields = callback.Fields{{Name: "id", Value: id}, {Name: "type", Value: "sale"}}
		records = append(records, c.Record(now.Add(time.Duration(i)*time.Second)))
	}
	return records
}
