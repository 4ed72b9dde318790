package merchant

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	"checkout/internal/request"
	"checkout/internal/store"
)

// noticePath is what every notice address begins with, behind the base URL.
const noticePath = "/api/v1/notify/"

// NoticeAddress is where the provider of one MID reports outcomes by itself.
type NoticeAddress struct {
	Connector string
	MID       string // as midID writes it
}

// NoticeAddressOf is the address of a MID for the notices that a connector reads.
func NoticeAddressOf(connector, merchant, mapping, mid string) NoticeAddress {
	return NoticeAddress{connector, midID(merchant, mapping, mid)}
}

// Path is the address behind the base URL.
func (a NoticeAddress) Path() string { return noticePath + a.Connector + "/" + a.MID }

// ParseNoticePath reads what Path wrote. Of any other text the MID is "".
func ParseNoticePath(path string) NoticeAddress {
	rest, _ := strings.CutPrefix(path, noticePath)
	connector, mid, _ := strings.Cut(rest, "/")
	return NoticeAddress{connector, mid}
}

// midID names a MID in URLs: by the merchant's id and, since names may be of any characters, a hash of the mapping's
// name and its own. It is no secret.
func midID(merchant, mapping, mid string) string {
	sum := sha256.Sum256([]byte(mapping + "\x00" + mid))
	return base64.RawURLEncoding.EncodeToString([]byte(merchant)) + "." + hex.EncodeToString(sum[:8])
}

// maxMIDID is the most characters of a MID's id: of a merchant's id of 255 characters, and the hash.
const maxMIDID = 255*4*4/3 + 32

// merchantOf is the merchant's id in a MID's, "" if it is none.
func merchantOf(midID string) string {
	encoded, _, found := strings.Cut(midID, ".")
	merchant, err := base64.RawURLEncoding.DecodeString(encoded)
	if !found || err != nil || len(midID) > maxMIDID {
		return ""
	}
	return string(merchant)
}

// NoticeSource is a MID to whose address a notice came, with its credentials.
type NoticeSource struct {
	MID       MID
	connector string
	merchant  *Merchant
	mapping   string
}

// FindNoticeSource finds the MID of a notice address: in the settings alone at first, so that no guess has secrets read.
// Errors: CodeNotFound.
func (a Accounts) FindNoticeSource(ctx context.Context, to NoticeAddress, now time.Time) (NoticeSource, error) {
	id := merchantOf(to.MID)
	settings, err := a.settings(ctx, id, now)
	if err != nil {
		return NoticeSource{}, err
	}
	if _, found := settings.noticeSource(to); !found {
		return NoticeSource{}, errNoticeAddress()
	}
	m, err := a.ByID(ctx, id, now)
	if err != nil {
		return NoticeSource{}, err
	}
	r, found := m.noticeSource(to)
	if !found {
		return NoticeSource{}, errNoticeAddress()
	}
	return r, nil
}

func errNoticeAddress() error {
	return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Notice address does not exist.")
}

// settings returns the merchant of an id without its secrets, nil if there is none.
func (a Accounts) settings(ctx context.Context, id string, now time.Time) (*Merchant, error) {
	if id == "" {
		return nil, nil
	}
	return a.Cache.settings.Get(id, now, cacheTTL, func() (*Merchant, error) {
		record, err := store.GetOne(ctx, a.Store, now, store.SettingsKey(id))
		if err != nil {
			return nil, fmt.Errorf("read merchant: %w", err)
		}
		if record.Version == 0 {
			return nil, nil
		}
		m := &Merchant{}
		return m, record.Decode(m)
	})
}

// noticeSource finds the MID of an address. With the test key every MID's payments go to the sandbox.
func (m *Merchant) noticeSource(to NoticeAddress) (r NoticeSource, found bool) {
	if m == nil {
		return r, false
	}
	m.eachMID(func(mapping string, mid *MID) {
		if midID(m.ID, mapping, mid.Name) == to.MID && (mid.Connector == to.Connector || to.Connector == SandboxConnector) {
			r, found = NoticeSource{*mid, to.Connector, m, mapping}, true
		}
	})
	return r, found
}

// SharesAccount reports whether the provider account of a reporter is that of a MID to which a connector sent something
// for an owner: the MID itself, or another one of the merchant with the same credentials, since a provider may have
// one notice address for an account.
func (r NoticeSource) SharesAccount(o request.Owner, connector, mapping, mid string) bool {
	if connector != r.connector || o.Merchant != r.merchant.ID {
		return false
	}
	if mapping == r.mapping && mid == r.MID.Name {
		return true
	}
	other, found := r.merchant.MID(mapping, mid)
	return found && other.ConnectorFor(o) == connector && maps.Equal(other.Credentials, r.MID.Credentials)
}

// noticeViews are the notice addresses of the MIDs whose connectors have notices.
func (m *Merchant) noticeViews(connectors Declarations) (all []NoticeView) {
	m.eachMID(func(mapping string, mid *MID) {
		if connectors[mid.Connector].Notices {
			all = append(all, NoticeView{mapping, mid.Name, NoticeAddressOf(mid.Connector, m.ID, mapping, mid.Name).Path()})
		}
	})
	return all
}
