package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Every document and its key:
//
//	document    partition                sort                               expires
//	Merchant    merchant/<merchant id>   merchant                           never
//	(before)    merchant/<merchant id>   version/<12 digits>                400 days after the change
//	(its id)    merchants                id/<merchant id>                   never
//	secret      secret/<use>/<merchant id>  secret                          never
//	(removed)   secret/removed/<merchant id>  version/<12 digits>           30 days after the change
//	data key    datakey/<use>            datakey                            never
//	(of cards)  fingerprint-key          fingerprint                        never
//	key pair    datakey/<use>            pair                               never
//	MerchantKey key/<merchant_key>       key                                when a replaced key ends
//	Session     order/<order hash>       o/0/session/                       7 days after its end
//	(others)    order/<order hash>       o/<time and random>/session/<secret>  7 days after its end
//	duplicate   order/<order hash>       duplicate, or o/0/session/         15 seconds
//	Payment     order/<order hash>       o/<time and random>/payment        never
//	Callback    order/<order hash>       callback/<time and random>/<seq>   never
//	Chain       order/<order hash>       chain/<time and random>            never
//	words.Note  order/<order hash>       note/<time and random>/<number>    never
//	schedules   order/<order hash>       schedules                          never
//	SavedCard   card/<card_token>        card                               90 days after the card's end
//	response    idempotency/<hash of the key>  idempotency                  24 hours
//	bulk send   idempotency/<hash of the cursor>  bulk-send                 24 hours
//	wallet use  wallet/<hash of token's id>  wallet                         7 days
//	root keys   wallet/roots/<hash of url>  roots                           7 days after they were fetched
//	cursor      sweep/<kind of due>      cursor                             never
//	Release     release/page             at/<time>                          never
//	PublicKey   vault/public/<yyyy-mm-dd>  key                              at the end of the next day
//	DayKey      vault/private/<yyyy-mm-dd>  key                             at the end of the next day
//	Sealed      vault/card/<payment id>  card                               15 minutes after the click, deleted before
//	breaker     callback-circuit/<hash of address>  callback-circuit        5 minutes after a timeout, or when it closes
//	UseCount    uses/<merchant id>       <place of a secret>/<old or new>/<random>  when the overlap ends
//	circuits    circuit/<live or test>/<merchant id>  circuit               when none of them counts any more
//	blocks      blocks/<live or test>/<merchant id, or * for all>  blocks   never
//	audit.Entry audit/<yyyy-mm-dd>/<shard>  <time>-<hash of the document>   400 days after the change
//	(older)     audit/<yyyy-mm-dd>/<shard>  <12 digits>                     400 days after the change
//	(older)     audit/head/<shard>       head                               never
//	grants      operators                operators                          never
//	returned    operators                returned/<yyyy-mm-dd>/<hash of a person>  2 days after the day
//	Approval    approvals                <time>-<random>                    90 days after it was asked for
//	signin.Session  sign-in              session/<hash of its token>        15 minutes after its last use
//	(handover)  sign-in                  code/<hash of the code>            1 minute
//
// The document of a present merchant_key has a copy of its merchant and of the password's secret, so that a call reads
// one document. The functions that may read key/ may read these, too.
//
// Partitions that begin with vault/ are in the vault table, of which nothing can be restored. listing_keys.go has those
// of the listing table. All others are in the main table. A response is the idempotency record of one Idempotency-Key.
// Those marked as older were stored by older releases; nothing writes them any more.
//
// The first session of an order is the lock against duplicates of it, too, so that one write makes both. The key of any
// other has the rest of its id, beside a lock of its own.
//
// The order hash is computed from the owner and order.number, and is part of every payment id and session id. So one
// strongly consistent read finds a payment by its id, and one finds all documents of an order, newest first, without
// an index that lags behind.

// BulkSendKey is where it stands how far callbacks were sent again, by the cursor that was returned for it.
func BulkSendKey(cursor string) Key {
	sum := sha256.Sum256([]byte("bulk send\x00" + cursor))
	return Key{Partition: "idempotency/" + hex.EncodeToString(sum[:]), Sort: "bulk-send"}
}

// OrderHash is the first 60 bits of a SHA-256 of the owner's text and order.number, as 15 hex digits.
func OrderHash(owner, orderNumber string) string {
	sum := sha256.Sum256([]byte(owner + "\x00" + orderNumber))
	return hex.EncodeToString(sum[:8])[:15]
}

// idEpoch is the zero of the time inside ids: 42 bits of milliseconds last until the year 2159.
var idEpoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// NewPaymentID makes a UUID (version 8, RFC 9562) of 60 bits of order hash, 42 bits of time and 20 random bits.
func NewPaymentID(hash string, now time.Time, random []byte) string {
	return PaymentID(hash, newTail(now, random))
}

// newTail makes the second half of a new id: the two bits of a UUID's variant, the time and 20 random bits.
func newTail(now time.Time, random []byte) string {
	r := uint64(binary.BigEndian.Uint32(random)) & (1<<20 - 1)
	tail := binary.BigEndian.AppendUint64(nil, uint64(0b10)<<62|uint64(now.Sub(idEpoch).Milliseconds())<<20|r)
	return hex.EncodeToString(tail)
}

// PaymentID makes a payment id of an order hash and a tail, as SplitPaymentID returns them.
func PaymentID(hash, tail string) string {
	return hash[:8] + "-" + hash[8:12] + "-8" + hash[12:] + "-" + tail[:4] + "-" + tail[4:]
}

var errID = errors.New("no id of ours")

// splitID returns the order hash and the tail of the 32 digits of an id.
func splitID(digits string) (hash, tail string, err error) {
	if len(digits) != 32 || digits[digitAt:digitAt+1] != ownDigit {
		return "", "", errID
	}
	for _, c := range []byte(digits) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", "", errID
		}
	}
	return digits[:digitAt] + digits[digitAt+1:16], digits[16:], nil
}

// SplitPaymentID returns the order hash of a payment id, and its tail: the 16 digits of time and random bits.
func SplitPaymentID(id string) (hash, tail string, err error) {
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' {
		return "", "", errID
	}
	return splitID(id[:8] + id[9:13] + id[14:18] + id[19:23] + id[24:])
}

// OrderPartition is the partition of all documents of an order.
func OrderPartition(hash string) string { return "order/" + hash }

// SettingsKey is the key of a merchant's settings.
func SettingsKey(merchant string) Key { return Key{"merchant/" + merchant, "merchant"} }

// SettingsVersionKey is the key of a merchant's settings as they were before a change.
func SettingsVersionKey(merchant string, number int64) Key {
	return Key{"merchant/" + merchant, fmt.Sprintf("version/%012d", number)}
}

// SettingsVersions lists the settings that a merchant had before, the latest first.
func SettingsVersions(merchant string, limit int) Query {
	return Query{Partition: "merchant/" + merchant, Prefix: "version/", Limit: limit}
}

// SettingsVersion is the number in the key of a merchant's former settings, 0 for another key.
func SettingsVersion(key Key) int64 {
	number, _ := strconv.ParseInt(strings.TrimPrefix(key.Sort, "version/"), 10, 64)
	return number
}

// AccessKey is the key of a merchant_key.
func AccessKey(key string) Key { return Key{"key/" + key, "key"} }

// SecretKey is the key of a merchant's encrypted secret.
func SecretKey(use, merchant string) Key {
	return Key{"secret/" + use + "/" + merchant, "secret"}
}

// RemovedSecretsKey is the key of the secrets that went with MIDs in the change of a version of a merchant's settings.
// Functions that work for payers and merchants can't read it.
func RemovedSecretsKey(merchant string, version int64) Key {
	return Key{"secret/removed/" + merchant, fmt.Sprintf("version/%012d", version)}
}

// RemovedSecrets lists the secrets that went with a merchant's MIDs, the latest first.
func RemovedSecrets(merchant string, limit int) Query {
	return Query{Partition: "secret/removed/" + merchant, Prefix: "version/", Limit: limit}
}

// DataKeyKey is the key of a wrapped data key: the one of fingerprints, or one of a use that earlier releases have
// encrypted under.
func DataKeyKey(use string) Key { return Key{"datakey/" + use, "datakey"} }

// CardFingerprintKey is the key of the wrapped key that fingerprints of card numbers are made with.
func CardFingerprintKey() Key { return Key{"fingerprint-key", "fingerprint"} }

// BlocksKey is the key of what an owner's text is blocked for.
func BlocksKey(owner string) Key { return Key{"blocks/" + owner, "blocks"} }

// KeyPairKey is the key of the key pair which secrets of a use are sealed to.
func KeyPairKey(use string) Key { return Key{"datakey/" + use, "pair"} }

// IndexedMerchant is an entry of the index of merchants.
type IndexedMerchant struct {
	ID string `json:"id"`
}

// MerchantIndexKey is the key of a merchant's entry in the index of merchants.
func MerchantIndexKey(id string) Key { return Key{"merchants", "id/" + id} }

// MerchantIndex lists all merchants.
func MerchantIndex(limit int) Query {
	return Query{Partition: "merchants", Prefix: "id/", Limit: limit}
}

// DuplicateKey is the key of the lock against duplicates of an order.
func DuplicateKey(hash string) Key { return Key{OrderPartition(hash), "duplicate"} }

// PaymentKey is the key of a payment.
func PaymentKey(id string) (Key, error) {
	hash, tail, err := SplitPaymentID(id)
	return Key{OrderPartition(hash), "o/" + tail + "/payment"}, err
}

// CallbacksOf lists the callbacks of a payment. Its limit is the most that one payment can have waiting.
func CallbacksOf(paymentID string) (Query, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Query{Partition: OrderPartition(hash), Prefix: "callback/" + tail + "/", Limit: 1000}, err
}

// CallbackKey is the key of one callback of a payment.
func CallbackKey(paymentID string, seq int) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Key{OrderPartition(hash), "callback/" + tail + "/" + fmt.Sprintf("%06d", seq)}, err
}

// CallbackOf returns the payment id and number of the callback with a key.
func CallbackOf(key Key) (id string, seq int, err error) { return numbered(key, "callback/") }

// ChainKey is the key of the recurring chain that a payment began.
func ChainKey(paymentID string) (Key, error) {
	hash, tail, err := SplitPaymentID(paymentID)
	return Key{OrderPartition(hash), "chain/" + tail}, err
}

// SchedulesKey is the key of how many chains of an order number have had a schedule, by the id of one of its payments.
func SchedulesKey(paymentID string) (Key, error) {
	hash, _, err := SplitPaymentID(paymentID)
	return Key{OrderPartition(hash), "schedules"}, err
}

// SavedCardKey is the key of a saved card.
func SavedCardKey(token string) Key { return Key{"card/" + token, "card"} }

// WalletTokenKey is the key of the record that a wallet's token was used, by the SHA-256 of the wallet's id of it, hex.
func WalletTokenKey(id string) Key { return Key{"wallet/" + id, "wallet"} }

// WalletRootsKey is the key of the copy of the root keys that a wallet publishes at an address.
func WalletRootsKey(address string) Key {
	sum := sha256.Sum256([]byte(address))
	return Key{"wallet/roots/" + hex.EncodeToString(sum[:]), "roots"}
}

// PublicKeyKey is the key of the document with the public half of a day's key pair, which pages read.
func PublicKeyKey(day string) Key { return Key{vaultPrefix + "public/" + day, "key"} }

// DayKeyKey is the key of the document with a day's key pair, whose private half is wrapped. Pages can't read it.
func DayKeyKey(day string) Key { return Key{vaultPrefix + "private/" + day, "key"} }

// SealedCardKey is the key of a payment's encrypted card.
func SealedCardKey(paymentID string) Key { return Key{vaultPrefix + "card/" + paymentID, "card"} }

// BreakerKey is the key of the circuit breaker of an address for callbacks: an owner and its notification_url.
func BreakerKey(address string) Key {
	sum := sha256.Sum256([]byte(address)) // a URL may be longer than a key
	return Key{"callback-circuit/" + hex.EncodeToString(sum[:]), "callback-circuit"}
}

// CircuitsKey is the key of the circuit breakers of an owner's MIDs.
func CircuitsKey(owner string) Key { return Key{"circuit/" + owner, "circuit"} }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// SweepKey is the key of the cursor from which the sweep of a kind continues.
func SweepKey(kind DueKind) Key { return Key{"sweep/" + string(kind), "cursor"} }

// IsPayment reports whether a key is a payment's.
func IsPayment(key Key) bool { return strings.HasSuffix(key.Sort, "/payment") }

// VisitsOf lists sessions and payments of an order, newest first.
func VisitsOf(hash string, limit int) Query {
	return Query{Partition: OrderPartition(hash), Prefix: "o/", Limit: limit}
}

// VisitsBegunWith lists the sessions and payments of an order that began in the millisecond of a tail. The session
// that a payment id was reserved for is among them, because both ids are made at the same time.
func VisitsBegunWith(hash, tail string, limit int) Query {
	return Query{Partition: OrderPartition(hash), Prefix: "o/" + tail[:11], Limit: limit}
}

// NewUUID makes a UUID (version 4, RFC 9562) of 16 random bytes.
func NewUUID(random []byte) string {
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	digits := hex.EncodeToString(random)
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

// ownDigit and firstDigit are the digit of a session's id that tells where it is stored: under a key of its own, or
// under that of the order's first session.
const ownDigit, firstDigit, digitAt = "8", "9", 12
