package store

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The documents of the listing, which are made of the main table's and can be made anew at any time:
//
//	document    partition                          sort
//	row         rows/<owner>/<yyyy-mm-dd>/<shard>     <time and random>/<order hash>
//	line        journal/<owner>/<yyyy-mm-dd>/<shard>  <time>/<time and random>/<order hash>/<number>
//	find entry  find/<hash of the value>              <time and random>/<owner>/<order hash>
//	active      active/<yyyy-mm-dd>                   <owner>
//	last use    used/<merchant id>                    <place of a secret in the settings>
//	sums        sums/<owner>                          <yyyy-mm-dd>
//
// They expire after 25 months, and rows with their payment or session. An owner is live/<merchant id> or
// test/<merchant id>. Time and random of a payment id say when it was made.

// ListingShards is how many partitions the rows and the lines of one owner and day are each spread over. DynamoDB
// writes at most 1,000 units a second in a partition. A reader queries each of them.
const ListingShards = 2

// IDTime returns when a payment id was made, to the millisecond.
func IDTime(paymentID string) (time.Time, error) {
	_, tail, err := SplitPaymentID(paymentID)
	if err != nil {
		return time.Time{}, err
	}
	return RowTime(tail)
}

// RowTime returns when the payment was made that a row with a Sort is of.
func RowTime(sort string) (time.Time, error) {
	tail, _, _ := strings.Cut(sort, "/")
	bits, err := strconv.ParseUint(tail, 16, 64)
	return idEpoch.Add(time.Duration(bits<<2>>22) * time.Millisecond), err
}

// RowKey is the key of a payment's row.
func RowKey(owner, paymentID string) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	if err != nil {
		return Key{}, err
	}
	made, err := IDTime(paymentID)
	return Key{dayPartition(rowPrefix, owner, made, hash), tail + "/" + hash}, err
}

// RowOf returns the owner and the payment id of the row with a key.
func RowOf(key Key) (owner, paymentID string, err error) {
	parts := strings.Split(strings.TrimPrefix(key.Partition, rowPrefix), "/")
	tail, hash, _ := strings.Cut(key.Sort, "/")
	if len(parts) != 4 || len(tail) != 16 || len(hash) != 15 {
		return "", "", errID
	}
	return parts[0] + "/" + parts[1], PaymentID(hash, tail), nil
}

// LineKey is the key of a line of the journal: the number-th of a payment, of what happened at a time.
func LineKey(owner, paymentID string, at time.Time, number int) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Key{
		dayPartition(journalPrefix, owner, at, hash),
		at.UTC().Format(lineTime) + "/" + tail + "/" + hash + "/" + fmt.Sprintf("%04d", number),
	}, err
}

// dayPartition is the partition of an owner's documents of a day. All documents of an order are in the same shard.
func dayPartition(prefix, owner string, at time.Time, hash string) string {
	return shardPartition(prefix, owner, at, int(hash[len(hash)-1])%ListingShards)
}

func shardPartition(prefix, owner string, day time.Time, shard int) string {
	return prefix + owner + "/" + day.UTC().Format(time.DateOnly) + "/" + strconv.Itoa(shard)
}

// RowsOf lists the rows of an owner and a day in a shard, the latest payment first.
func RowsOf(owner string, day time.Time, shard int) Query {
	return Query{Partition: shardPartition(rowPrefix, owner, day, shard)}
}

// LinesOf lists the lines of the journal of an owner and a day in a shard, the latest first.
func LinesOf(owner string, day time.Time, shard int) Query {
	return Query{Partition: shardPartition(journalPrefix, owner, day, shard)}
}

// RowsBefore is a Query.Before by which a listing of rows begins with the payments that were made before a time. Later
// rows have a higher Sort.
func RowsBefore(at time.Time) string { return newTail(at, make([]byte, 4)) }

// LinesBefore is a Query.Before by which a listing of lines begins with what happened before a time.
func LinesBefore(at time.Time) string { return at.UTC().Format(lineTime) }

// LineTime returns when something happened that a line with a Sort is of.
func LineTime(sort string) (time.Time, error) {
	at, _, _ := strings.Cut(sort, "/")
	return time.Parse(lineTime, at)
}

const lineTime = "2006-01-02T15:04:05.000Z"

// ActiveOf lists the owners that have rows or lines of a day, in falling order.
func ActiveOf(day time.Time) Query {
	return Query{Partition: activePrefix + day.UTC().Format(time.DateOnly)}
}

// FindHandle is a hash of a value that payments are found by, so that the value itself is not stored.
func FindHandle(value string) string {
	sum := sha256.Sum256([]byte(value))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// FindKey is the key of the entry by which a handle leads to a payment.
func FindKey(handle, owner, paymentID string) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Key{findPrefix + handle, tail + "/" + owner + "/" + hash}, err
}

// FindBy lists the find entries of a handle, the latest payment first.
func FindBy(handle string, limit int) Query {
	return Query{Partition: findPrefix + handle, Limit: limit}
}

// ActiveKey is the key of the entry that an owner has rows or lines of a day.
func ActiveKey(owner string, day time.Time) Key {
	return Key{activePrefix + day.UTC().Format(time.DateOnly), owner}
}

// IsActive reports whether a key is that of the entry that an owner has rows or lines of a day.
func IsActive(key Key) bool { return strings.HasPrefix(key.Partition, activePrefix) }

// UsedKey is the key of the entry with the last day on which a merchant's secret was used.
func UsedKey(merchant, place string) Key { return Key{usedPrefix + merchant, place} }

// UsedOf lists the last uses of a merchant's secrets.
func UsedOf(merchant string, limit int) Query {
	return Query{Partition: usedPrefix + merchant, Limit: limit}
}

// IsUsed reports whether a key is that of a last use.
func IsUsed(key Key) bool { return strings.HasPrefix(key.Partition, usedPrefix) }

// SumsKey is the key of the sums of an owner's lines of a day.
func SumsKey(owner string, day time.Time) Key {
	return Key{sumsPrefix + owner, day.UTC().Format(time.DateOnly)}
}

// IsSums reports whether a key is that of the sums of a day.
func IsSums(key Key) bool { return strings.HasPrefix(key.Partition, sumsPrefix) }

// IsLine reports whether a key is that of a line of the journal.
func IsLine(key Key) bool { return strings.HasPrefix(key.Partition, journalPrefix) }

// IsRow reports whether a key is that of a payment's row.
func IsRow(key Key) bool { return strings.HasPrefix(key.Partition, rowPrefix) }

// LineOwner returns the owner of the line of the journal with a key.
func LineOwner(key Key) string {
	parts := strings.Split(strings.TrimPrefix(key.Partition, journalPrefix), "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// FoundIn returns the owner of the payment that a find entry leads to, and the key of its row.
func FoundIn(key Key) (owner string, row Key, err error) {
	id, err := ListedPayment(key)
	if err != nil || !strings.HasPrefix(key.Partition, findPrefix) {
		return "", Key{}, errID
	}
	parts := strings.Split(key.Sort, "/")
	owner = parts[1] + "/" + parts[2]
	row, err = RowKey(owner, id)
	return owner, row, err
}

// ListedPayment returns the id of the payment that a row, a line or a find entry is of. It fails for another key.
func ListedPayment(key Key) (string, error) {
	parts := strings.Split(key.Sort, "/")
	tail, hash := "", ""
	switch {
	case IsRow(key) && len(parts) == 2:
		tail, hash = parts[0], parts[1]
	case strings.HasPrefix(key.Partition, journalPrefix) && len(parts) == 4:
		tail, hash = parts[1], parts[2]
	case strings.HasPrefix(key.Partition, findPrefix) && len(parts) == 4:
		tail, hash = parts[0], parts[3]
	}
	if len(tail) != 16 || len(hash) != 15 {
		return "", errID
	}
	return PaymentID(hash, tail), nil
}
