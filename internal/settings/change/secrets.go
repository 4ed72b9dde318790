package change

import (
	"bytes"
	"maps"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/sealed"
	"checkout/internal/store"
)

// secrets are the documents of a merchant's secrets, by their uses.
type secrets map[settings.SecretUse]*secretDocument

// secretDocument is the document of a secret: as it will be, and as it is stored.
type secretDocument struct {
	sealed.Secret
	stored store.Record
	// older are the ids of keys that an earlier release has encrypted in one text: all that the settings before the
	// change have a place for.
	older map[string]bool
}

// secretsOf reads the documents of all uses.
func secretsOf(records []store.Record) (secrets, error) {
	all := secrets{}
	for i, use := range settings.SecretUses {
		doc := &secretDocument{stored: records[i], older: map[string]bool{}}
		if err := records[i].Decode(&doc.Secret); err != nil {
			return nil, err
		}
		doc.Keys = maps.Clone(doc.Keys)
		if doc.Keys == nil {
			doc.Keys = map[string]sealed.Key{}
		}
		all[use] = doc
	}
	return all, nil
}

// changed returns the documents that are other than they are stored.
func (all secrets) changed(merchant string, now time.Time) (records []store.Record) {
	for _, use := range settings.SecretUses {
		doc := all[use]
		key := store.SecretKey(string(use), merchant)
		none := doc.Encrypted == nil && len(doc.Credentials)+len(doc.Keys) == 0
		if none && doc.stored.Version == 0 ||
			bytes.Equal(store.Encode(key, 0, doc.Secret).Doc, doc.stored.Doc) {
			continue
		}
		doc.Since = now
		records = append(records, store.Encode(key, doc.stored.Version, doc.Secret))
	}
	return records
}

// fingerprint returns that of a secret as it is stored, nil if there is none.
func (all secrets) fingerprint(s settings.SetSecret) []byte {
	doc := all[s.Use]
	if s.Use != settings.SecretCredentials {
		return doc.Fingerprint
	}
	if part := doc.Credentials[s.Mapping][s.MID].PartWith(s.Name); part != nil {
		return part.Fingerprints[s.Name]
	}
	return nil
}

// setAccounts gives MIDs with the same credentials the same account. Fingerprints say which are the same, and accounts
// those that an earlier release has stored.
func (all secrets) setAccounts(m *settings.Merchant) {
	doc, accounts := all[settings.SecretCredentials], map[string]int{}
	m.EachMID(func(mapping string, mid *settings.MID) {
		own, stored := doc.Credentials[mapping][mid.Name]
		if !stored && len(mid.Credentials) == 0 {
			return
		}
		same := struct {
			Plain        map[string]string
			Fingerprints map[string][]byte
			Older        int
			Without      []string
		}{Plain: mid.Credentials, Fingerprints: map[string][]byte{}, Without: own.Without}
		if own.Encrypted != nil {
			same.Older = own.Account
		}
		for _, part := range own.Parts {
			maps.Copy(same.Fingerprints, part.Fingerprints)
		}
		text := string(store.CompactJSON(same))
		if accounts[text] == 0 {
			accounts[text] = len(accounts) + 1
		}
		own.Account = accounts[text]
		doc.Credentials.Add(mapping, mid.Name, own)
	})
}

// removeKeys removes the stored keys of wallets for which the settings have no place any more. Those that an earlier
// release has encrypted in one text go together, once none of them is left that is not encrypted by itself.
func (all secrets) removeKeys(m *settings.Merchant) {
	used, needsOlder := map[string]bool{}, map[settings.SecretUse]bool{}
	m.EachKey(func(k settings.WalletKey) {
		used[k.ID] = true
		if _, own := all[k.Use].Keys[k.ID]; !own {
			needsOlder[k.Use] = true
		}
	})
	for _, use := range []settings.SecretUse{settings.SecretWalletIdentity, settings.SecretWalletProcessing} {
		doc := all[use]
		maps.DeleteFunc(doc.Keys, func(id string, _ sealed.Key) bool { return !used[id] })
		if !needsOlder[use] {
			doc.Encrypted = nil
		}
	}
}
