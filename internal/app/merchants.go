package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/checkout"
)

// LoadMerchants stores the merchants of a JSON list, in place of what is
// stored under their keys. {BASE_URL} in the text stands for base. It answers
// the merchants that it stored.
func LoadMerchants(ctx context.Context, store checkout.Store, text []byte, base string) ([]checkout.Merchant, error) {
	var merchants []checkout.Merchant
	decoder := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte("{BASE_URL}"), []byte(base))))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&merchants); err != nil {
		return nil, fmt.Errorf("read merchants: %w", err)
	}
	for _, m := range merchants {
		if err := checkout.SaveMerchant(ctx, store, time.Now(), m); err != nil {
			return nil, errors.Join(fmt.Errorf("merchant %q", m.ID), err)
		}
	}
	return merchants, nil
}
