package settings

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"checkout/internal/fault"
)

// noticePath is the beginning of every notice address, after the base URL.
const noticePath = "/api/v1/notify/"

// NoticeAddress is the address to which the provider of a MID sends notices of outcomes.
type NoticeAddress struct {
	Connector string
	MID       string // made by IDOfMID
}

// NoticeView is the address to which the provider of a MID sends notices of outcomes.
type NoticeView struct {
	Mapping string `json:"mapping"`
	MID     string `json:"mid"`
	Path    string `json:"path"` // without the base URL
}

// NoticeAddressOf returns the notice address of a MID with a connector.
func NoticeAddressOf(connector, merchant, mapping, mid string) NoticeAddress {
	return NoticeAddress{connector, IDOfMID(merchant, mapping, mid)}
}

// Path returns the address without the base URL.
func (a NoticeAddress) Path() string { return noticePath + a.Connector + "/" + a.MID }

// ParseNoticePath parses what Path returned. From another text it returns an address of no MID.
func ParseNoticePath(path string) NoticeAddress {
	rest, _ := strings.CutPrefix(path, noticePath)
	connector, mid, _ := strings.Cut(rest, "/")
	return NoticeAddress{connector, mid}
}

// IDOfMID returns an id of a MID for URLs: the merchant's id and a hash of the names of mapping and MID, which may have
// any characters. It is not a secret.
func IDOfMID(merchant, mapping, mid string) string {
	sum := sha256.Sum256([]byte(mapping + "\x00" + mid))
	return base64.RawURLEncoding.EncodeToString([]byte(merchant)) + "." + hex.EncodeToString(sum[:8])
}

// maxMIDID is the most characters of a MID's id: a merchant's id of 255 characters of 4 bytes in base64, and the hash.
const maxMIDID = 255*4*4/3 + 32

// merchantOf returns the merchant's id in a MID's id, "" if that is not valid.
func merchantOf(midID string) string {
	encoded, _, found := strings.Cut(midID, ".")
	merchant, err := base64.RawURLEncoding.DecodeString(encoded)
	if !found || err != nil || len(midID) > maxMIDID {
		return ""
	}
	return string(merchant)
}

// NoticeSource is a MID whose provider sent a notice. That of an address of no MID is zero: it has no credentials, and
// no payment is of its account.
type NoticeSource struct {
	MID       MID
	connector string
	merchant  *Merchant
	mapping   string
}

// Known reports whether the address of the notice is that of a MID.
func (r NoticeSource) Known() bool { return r.merchant != nil }

// FindNoticeSource returns the MID of a notice address, a zero source if there is none. That takes the same reads, so
// that guesses do not tell which merchants and MIDs exist. Credentials are not decrypted.
func (a Accounts) FindNoticeSource(ctx context.Context, to NoticeAddress, now time.Time) (NoticeSource, error) {
	m, err := a.ByID(ctx, merchantOf(to.MID), now) // reads for the id "", too, which no merchant has
	if err != nil {
		return NoticeSource{}, err
	}
	return m.noticeSource(to), nil
}

// noticeSource returns the MID of an address. The connector may be the sandbox for every MID, since payments with the
// test key go there.
func (m *Merchant) noticeSource(to NoticeAddress) (r NoticeSource) {
	if m == nil {
		return r
	}
	m.EachMID(func(mapping string, mid *MID) {
		if to.Connector != mid.Connector && to.Connector != SandboxConnector {
			return
		}
		if IDOfMID(m.ID, mapping, mid.Name) == to.MID {
			r = NoticeSource{*mid, to.Connector, m, mapping}
		}
	})
	return r
}

// SharesAccount reports whether a notice can be about a request that a connector sent with a MID for an owner. The MID
// is the source itself, or another one of the merchant with the same credentials: some providers send the notices of
// all MIDs of an account to one address.
func (r NoticeSource) SharesAccount(o fault.Owner, connector, mapping, mid string) bool {
	if !r.Known() || connector != r.connector || o.Merchant != r.merchant.ID {
		return false
	}
	if mapping == r.mapping && mid == r.MID.Name {
		return true
	}
	other, found := r.merchant.MID(mapping, mid)
	return found && other.ConnectorFor(o) == connector && other.stored.Account == r.MID.stored.Account
}

// NoticeViews returns the notice addresses of the MIDs whose connectors read notices.
func (m *Merchant) NoticeViews(connectors Declarations) (all []NoticeView) {
	m.EachMID(func(mapping string, mid *MID) {
		if connectors[mid.Connector].Notices {
			to := NoticeAddressOf(mid.Connector, m.ID, mapping, mid.Name)
			all = append(all, NoticeView{mapping, mid.Name, to.Path()})
		}
	})
	return all
}
