package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	settingschange "checkout/internal/settings/change"
)

// adminSettings handles the requests of operators about what is set for merchants.
type adminSettings struct {
	admission
	editor *operator.Editor
}

// AdminSettings returns the routes of what is set for merchants, as AdminRead does.
func AdminSettings(people *operator.People, editor *operator.Editor) Routes {
	a := adminSettings{admission{people: people}, editor}
	may := a.admission
	return Routes{
		{"GET", "/admin/v1/merchants", read{may, grant.Settings, "", a.list}},
		{"POST", "/admin/v1/merchants", act[newMerchantBody]{may, grant.Publish, a.add}},
		{"GET", "/admin/v1/merchants/{merchant}", read{may, grant.Settings, "", a.read}},
		{"POST", "/admin/v1/merchants/{merchant}/check", settingsCheck{may, a.check}},
		{"POST", "/admin/v1/merchants/{merchant}/publish", act[publishBody]{may, grant.Publish, a.publish}},
		{"GET", "/admin/v1/merchants/{merchant}/versions", read{may, grant.Settings, "", a.versions}},
		{"POST", "/admin/v1/merchants/{merchant}/restore", act[restoreBody]{may, grant.Publish, a.restore}},
		{"POST", "/admin/v1/merchants/{merchant}/disable", act[because]{may, grant.Publish, a.disable}},
		{"POST", "/admin/v1/merchants/{merchant}/enable", act[because]{may, grant.Publish, a.enable}},
		{"POST", "/admin/v1/merchants/{merchant}/switch", act[switchBody]{may, grant.Publish, a.switches}},
		{"POST", "/admin/v1/merchants/{merchant}/rotate", act[rotateBody]{may, grant.Publish, a.rotate}},
		{"POST", "/admin/v1/merchants/{merchant}/wallet-keys", act[walletKeysBody]{may, grant.Publish, a.putWalletKeys}},
	}
}

// levels are how far a right of a person goes for live and for test payments of a merchant. A merchant for whom they
// have no grant does not exist for them. Errors: CodeNotFound, CodeDenied.
func (c *adminCall) levels(right grant.Right, merchant string) (live, test grant.Level, err error) {
	of := func(right grant.Right) (live, test grant.Level) {
		o := fault.Owner{Merchant: merchant}
		return c.by.Level(right, o), c.by.Level(right, fault.Owner{Merchant: merchant, Test: true})
	}
	if live, test := of(grant.Find); max(live, test) == grant.None {
		return 0, 0, operator.ErrUnknownMerchant()
	}
	if live, test = of(right); max(live, test) == grant.None {
		return 0, 0, errRight(right)
	}
	return live, test, nil
}

// mayAll checks that a right goes for the live payments of the merchant in the path, too.
func (c *adminCall) mayAll(right grant.Right) error {
	live, _, err := c.levels(right, c.PathValue("merchant"))
	if err == nil && live < grant.Full {
		err = errRight(right)
	}
	return err
}

// listedMerchant is a merchant in a list.
type listedMerchant struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	LiveKey  string `json:"live_key"`
	TestKey  string `json:"test_key"`
	Disabled bool   `json:"disabled,omitempty"`
}

func (a adminSettings) list(c *adminCall) (any, error) {
	all, err := a.editor.List(c.Context())
	listed := []listedMerchant{}
	for _, m := range all {
		if _, _, err := c.levels(grant.Settings, m.ID); err == nil {
			listed = append(listed, listedMerchant{m.ID, m.Name, m.LiveKey, m.TestKey, m.Disabled})
		}
	}
	return struct {
		Merchants []listedMerchant `json:"merchants"`
	}{listed}, err
}

func (a adminSettings) read(c *adminCall) (any, error) {
	if _, _, err := c.levels(grant.Settings, c.PathValue("merchant")); err != nil {
		return nil, err
	}
	return a.editor.Read(c.Context(), c.PathValue("merchant"))
}

func (a adminSettings) versions(c *adminCall) (any, error) {
	if _, _, err := c.levels(grant.Settings, c.PathValue("merchant")); err != nil {
		return nil, err
	}
	all, err := a.editor.Versions(c.Context(), c.PathValue("merchant"))
	return struct {
		Versions []settingschange.ListedVersion `json:"versions"`
	}{all}, err
}

// draftBody is a change of settings, which may be as large as these. Version 0 is that of a merchant that there is not.
type draftBody struct {
	Settings json.RawMessage `json:"settings"`
	Whole    bool            `json:"whole,omitempty"`
	Version  *int64          `json:"version,omitempty"`
}

// maxDraft is the most bytes of a body with settings.
const maxDraft = 1 << 20

func (draftBody) most() int { return maxDraft }

func (b draftBody) draft(c *adminCall) settingschange.Draft {
	d := settingschange.Draft{Merchant: c.PathValue("merchant"), Settings: b.Settings, Whole: b.Whole}
	if b.Version != nil {
		d.Version = cmp.Or(*b.Version, settingschange.NoVersion)
	}
	return d
}

// settingsCheck handles the check of a draft: a request with a body that changes nothing.
type settingsCheck struct {
	admission
	do func(c *adminCall, body draftBody) (any, error)
}

func (f settingsCheck) rule() Rule {
	return Rule{Right: grant.Settings, Members: []string{"settings", "whole", "version"}, Required: []string{"settings"}}
}

func (f settingsCheck) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	c, err := f.admit(a, r, grant.Settings)
	if err != nil {
		return err
	}
	if _, _, err := c.levels(grant.Settings, c.PathValue("merchant")); err != nil {
		return err
	}
	if err := c.readQuery(""); err != nil {
		return err
	}
	var body draftBody
	if err := readAct(r, &body); err != nil {
		return err
	}
	result, err := f.do(c, body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, result)
	return nil
}

func (a adminSettings) check(c *adminCall, body draftBody) (any, error) {
	d := body.draft(c)
	d.Adds = c.by.May(grant.Settings)
	return a.editor.Check(c.Context(), d)
}

type publishBody struct {
	draftBody
	Remove []string `json:"remove,omitempty"`
	because
}

// publish stores a draft. Who may for test payments alone changes what is about these; who may for all merchants adds.
func (a adminSettings) publish(c *adminCall, body publishBody) (any, error) {
	live, _, err := c.levels(grant.Publish, c.PathValue("merchant"))
	if err != nil {
		return nil, err
	}
	d := body.draft(c)
	d.TestOnly, d.Adds, d.Remove = live < grant.Full, c.by.May(grant.Publish), body.Remove
	return a.editor.By(c.act).Publish(c.Context(), d)
}

type newMerchantBody struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url,omitempty"`
	For  string `json:"for"`
	because
}

func (a adminSettings) add(c *adminCall, body newMerchantBody) (any, error) {
	if !c.by.May(grant.Publish) {
		return nil, errRight(grant.Publish)
	}
	return a.editor.By(c.act).New(c.Context(),
		settingschange.NewMerchant{ID: body.ID, Name: body.Name, URL: body.URL, For: body.For})
}

type restoreBody struct {
	Version int64    `json:"version"`
	Remove  []string `json:"remove,omitempty"`
	because
}

func (a adminSettings) restore(c *adminCall, body restoreBody) (any, error) {
	if err := c.mayAll(grant.Publish); err != nil {
		return nil, err
	}
	return a.editor.By(c.act).Restore(c.Context(), settingschange.Restoration{
		Merchant: c.PathValue("merchant"), Version: body.Version, Remove: body.Remove,
	})
}

func (a adminSettings) disable(c *adminCall, _ because) (any, error) { return a.setDisabled(c, true) }
func (a adminSettings) enable(c *adminCall, _ because) (any, error)  { return a.setDisabled(c, false) }

func (a adminSettings) setDisabled(c *adminCall, disabled bool) (any, error) {
	if err := c.mayAll(grant.Publish); err != nil {
		return nil, err
	}
	return a.editor.By(c.act).SetDisabled(c.Context(), c.PathValue("merchant"), disabled)
}

type switchBody struct {
	Mapping string `json:"mapping"`
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Closed  bool   `json:"closed"`
	because
}

func (a adminSettings) switches(c *adminCall, body switchBody) (any, error) {
	if !slices.Contains(settingschange.SwitchKinds, body.Kind) {
		return nil, fault.At("kind", method.TextNotChoice)
	}
	if err := c.mayAll(grant.Publish); err != nil {
		return nil, err
	}
	return a.editor.By(c.act).Switch(c.Context(), settingschange.Switch{
		Merchant: c.PathValue("merchant"), Mapping: body.Mapping, Kind: body.Kind, Name: body.Name, Closed: body.Closed,
	})
}

type rotateBody struct {
	What    string `json:"what"`
	To      string `json:"to,omitempty"`
	Overlap string `json:"overlap,omitempty"` // such as 24h
	because
}

func (a adminSettings) rotate(c *adminCall, body rotateBody) (any, error) {
	live, _, err := c.levels(grant.Publish, c.PathValue("merchant"))
	if err != nil {
		return nil, err
	}
	if live < grant.Full && body.What != "test-key" {
		return nil, errRight(grant.Publish)
	}
	r := settingschange.Rotation{Merchant: c.PathValue("merchant"), What: body.What, To: body.To}
	if body.Overlap != "" {
		if r.Overlap, err = time.ParseDuration(body.Overlap); err != nil {
			return nil, fault.At("overlap", method.NotValid("It should be a time such as 24h."))
		}
	}
	return a.editor.By(c.act).Rotate(c.Context(), r)
}

type walletKeysBody struct {
	Mapping               string `json:"mapping,omitempty"`
	MID                   string `json:"mid,omitempty"`
	IdentityCertificate   string `json:"identity_certificate,omitempty"`
	IdentityKey           string `json:"identity_key,omitempty"`
	ProcessingCertificate string `json:"processing_certificate,omitempty"`
	ProcessingKey         string `json:"processing_key,omitempty"`
	GooglePayKey          string `json:"googlepay_key,omitempty"`
	because
}

func (a adminSettings) putWalletKeys(c *adminCall, body walletKeysBody) (any, error) {
	if err := c.mayAll(grant.Publish); err != nil {
		return nil, err
	}
	return a.editor.By(c.act).PutWalletKeys(c.Context(), settingschange.WalletKeys{
		Merchant: c.PathValue("merchant"), Mapping: body.Mapping, MID: body.MID,
		IdentityCertificate: body.IdentityCertificate, IdentityKey: body.IdentityKey,
		ProcessingCertificate: body.ProcessingCertificate, ProcessingKey: body.ProcessingKey,
		GooglePayKey: body.GooglePayKey,
	})
}
