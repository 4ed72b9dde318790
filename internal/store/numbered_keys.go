package store

import (
	"fmt"
	"strconv"
	"strings"
)

// NotesOf lists the notes of a payment, the latest first.
func NotesOf(paymentID string, limit int) (Query, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Query{Partition: OrderPartition(hash), Prefix: "note/" + tail + "/", Limit: limit}, err
}

// NoteKey is the key of one note of a payment.
func NoteKey(paymentID string, number int) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Key{OrderPartition(hash), "note/" + tail + "/" + fmt.Sprintf("%06d", number)}, err
}

// NoteOf returns the payment id and number of the note with a key.
func NoteOf(key Key) (id string, number int, err error) { return numbered(key, "note/") }

// numbered returns the payment id and number in a key of documents that payments have several of.
func numbered(key Key, prefix string) (id string, seq int, err error) {
	hash := strings.TrimPrefix(key.Partition, "order/")
	tail, number, _ := strings.Cut(strings.TrimPrefix(key.Sort, prefix), "/")
	if len(hash) != 15 || len(tail) != 16 {
		return "", 0, errID
	}
	seq, err = strconv.Atoi(number)
	return PaymentID(hash, tail), seq, err
}
