package store

import (
	"crypto/sha256"
	"strconv"
	"time"
)

// AuditShards is how many partitions the audit documents of a day are spread over.
const AuditShards = 4

// AuditKey is the key of what an act has changed.
func AuditKey(at time.Time, act, what string) Key {
	sum := sha256.Sum256([]byte(act))
	at = at.UTC()
	return Key{
		auditPartition(at, int(sum[0])%AuditShards), at.Format("2006-01-02T15:04:05.000Z") + "/" + act + "/" + what,
	}
}

// AuditOf lists the audit documents of one shard of a day, the latest first.
func AuditOf(day time.Time, shard, limit int) Query {
	return Query{Partition: auditPartition(day.UTC(), shard), Limit: limit}
}

func auditPartition(day time.Time, shard int) string {
	return "audit/" + day.Format(time.DateOnly) + "/" + strconv.Itoa(shard)
}
