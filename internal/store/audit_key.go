package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// AuditShards is how many partitions the audit documents of a day are spread over.
const AuditShards = 4

// AuditShard is the shard that the documents of an act are in.
func AuditShard(act string) int {
	sum := sha256.Sum256([]byte(act))
	return int(sum[0]) % AuditShards
}

// AuditKey is the key of an act's audit document. It has the time, by which the documents of a shard are listed, and
// the document's hash, by which those of one act differ. Older documents have a number of 12 digits.
func AuditKey(at time.Time, act string, doc []byte) Key {
	at, sum := at.UTC(), sha256.Sum256(doc)
	return Key{auditPartition(at, AuditShard(act)), at.Format("20060102T150405.000Z-") + hex.EncodeToString(sum[:16])}
}

// AuditOf lists the audit documents of one shard of a day, the latest first.
func AuditOf(day time.Time, shard, limit int) Query {
	return Query{Partition: auditPartition(day.UTC(), shard), Limit: limit}
}

func auditPartition(day time.Time, shard int) string {
	return "audit/" + day.Format(time.DateOnly) + "/" + strconv.Itoa(shard)
}
