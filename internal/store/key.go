package store

import (
	"errors"
	"strings"
)

// Key names one document. Documents of one Partition can be listed by Sort.
type Key struct {
	Partition string `json:"partition"`
	Sort      string `json:"sort"`
}

// InVault reports whether the document is in the vault table, of which nothing can be restored.
func (k Key) InVault() bool { return strings.HasPrefix(k.Partition, vaultPrefix) }

const vaultPrefix = "vault/"

// InListing reports whether the document is in the listing table, which is made of the main table.
func (k Key) InListing() bool {
	for _, prefix := range listingPrefixes {
		if strings.HasPrefix(k.Partition, prefix) {
			return true
		}
	}
	return false
}

// listingPrefixes begin the partitions of the listing.
var listingPrefixes = []string{rowPrefix, journalPrefix, findPrefix, activePrefix, usedPrefix, sumsPrefix}

const rowPrefix, journalPrefix, findPrefix = "rows/", "journal/", "find/"

const activePrefix, usedPrefix, sumsPrefix = "active/", "used/", "sums/"

// The limits of a key are DynamoDB's.
const (
	maxPartition = 2048 // bytes
	maxSort      = 1024 // bytes
)

// CheckKey refuses a key that no store can hold.
func CheckKey(key Key) error {
	if key.Partition == "" || key.Sort == "" || len(key.Partition) > maxPartition || len(key.Sort) > maxSort {
		return errors.New("a key is empty or too long")
	}
	return nil
}
