package memory

import (
	"errors"

	"checkout/internal/checkout"
)

// The DynamoDB store's limits, so that what works here works there.
const (
	maxRecords   = 100       // documents in one transaction
	maxDoc       = 350 << 10 // bytes of one document: what checkout.Record allows
	maxBytes     = 4 << 20   // bytes of one transaction
	maxPartition = 2048      // bytes
	maxSort      = 1024      // bytes
)

var (
	errKey   = errors.New("a key is empty or too long")
	errTwice = errors.New("a key is there twice")
	errMany  = errors.New("too many documents")
	errLarge = errors.New("a document is too large")
)

func checkKey(key checkout.Key) error {
	if key.Partition == "" || key.Sort == "" || len(key.Partition) > maxPartition || len(key.Sort) > maxSort {
		return errKey
	}
	return nil
}

func checkSave(records []checkout.Record) error {
	if len(records) > maxRecords {
		return errMany
	}
	seen := make(map[checkout.Key]bool, len(records))
	total := 0
	for _, record := range records {
		if err := checkKey(record.Key); err != nil {
			return err
		}
		if seen[record.Key] {
			return errTwice
		}
		seen[record.Key] = true
		total += len(record.Key.Partition) + len(record.Key.Sort) + len(record.Doc)
		if len(record.Doc) > maxDoc || total > maxBytes {
			return errLarge
		}
	}
	return nil
}
