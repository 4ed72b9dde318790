package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// AuditShards is how many partitions the audit documents of a day are spread over.
const AuditShards = 4

// AuditShard is the shard that the documents of an act are in.
func AuditShard(act string) int {
	sum := sha256.Sum256([]byte(act))
	return int(sum[0]) % AuditShards
}

// AuditKey is the key of the audit document of a shard with a number.
func AuditKey(at time.Time, shard int, number int64) Key {
	return Key{auditPartition(at.UTC(), shard), fmt.Sprintf("%012d", number)}
}

// AuditHeadKey is the key of the end of a shard's chain of audit documents.
func AuditHeadKey(shard int) Key { return Key{"audit/head/" + strconv.Itoa(shard), "head"} }

// AuditTries is how often a change is tried while others come between that are stored in the same shard. Of acts at the
// same time one succeeds each time: a hundred people who act without a pause needed at most 109 tries.
const AuditTries = 300

// IsAuditConflict reports whether a change meets a conflict on the audit log alone: another act came between.
func IsAuditConflict(err error) bool {
	var conflict *ConflictError
	return errors.As(err, &conflict) && len(conflict.Keys) > 0 && !slices.ContainsFunc(conflict.Keys, func(k Key) bool {
		return !strings.HasPrefix(k.Partition, "audit/")
	})
}

// AuditOf lists the audit documents of one shard of a day, the latest first.
func AuditOf(day time.Time, shard, limit int) Query {
	return Query{Partition: auditPartition(day.UTC(), shard), Limit: limit}
}

func auditPartition(day time.Time, shard int) string {
	return "audit/" + day.Format(time.DateOnly) + "/" + strconv.Itoa(shard)
}
