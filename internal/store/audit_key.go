package store

import (
	"crypto/sha256"
	"strconv"
	"strings"
	"time"
)

// AuditShards is how many partitions the audit documents of a day are spread over.
const AuditShards = 4

// AuditTTL is for how long an audit document is stored. PCI DSS 10.5.1 asks for twelve months.
const AuditTTL = 400 * 24 * time.Hour

const auditTime = "2006-01-02T15:04:05.000Z"

// AuditKey is the key of what an act has changed.
func AuditKey(at time.Time, act, what string) Key {
	sum := sha256.Sum256([]byte(act))
	at = at.UTC()
	return Key{
		auditPartition(at, int(sum[0])%AuditShards), at.Format(auditTime) + "/" + act + "/" + what,
	}
}

// AuditTime returns when the change was made that an audit document is about, by the document's key. It returns false
// for all other keys.
func AuditTime(key Key) (time.Time, bool) {
	text, _, found := strings.Cut(key.Sort, "/")
	at, err := time.Parse(auditTime, text)
	shard, inDay := strings.CutPrefix(key.Partition, auditPrefix+at.Format(time.DateOnly)+"/")
	n, notNumber := strconv.Atoi(shard)
	return at, found && inDay && err == nil && notNumber == nil && n >= 0 && n < AuditShards
}

// AuditOf lists the audit documents of one shard of a day, the latest first.
func AuditOf(day time.Time, shard, limit int) Query {
	return Query{Partition: auditPartition(day.UTC(), shard), Limit: limit}
}

const auditPrefix = "audit/"

func auditPartition(day time.Time, shard int) string {
	return auditPrefix + day.Format(time.DateOnly) + "/" + strconv.Itoa(shard)
}
