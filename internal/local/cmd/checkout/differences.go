package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"

	"checkout/internal/app"
)

// checked says what a part would change, and what is wrong with it.
type checked struct {
	Version int64               `json:"version"` // that is stored; 0: none
	Changes []app.SettingChange `json:"changes"`
	Faults  []struct {
		Path string `json:"path"`
		Text string `json:"text"`
	} `json:"faults"`
}

// difference is what a part of a file would change, for programs.
type difference struct {
	Merchant string              `json:"merchant"`
	Version  int64               `json:"version"`
	Changes  []app.SettingChange `json:"changes"`
	Preview  json.RawMessage     `json:"preview,omitempty"`
}

// printDifferences prints what each part of a file would change, and what would follow from that.
func (c *call) printDifferences(ctx context.Context, o *output, file merchantsFile) error {
	if o.people() {
		c.showDifferences(ctx, c.out, file)
		return nil
	}
	for _, p := range file.parts {
		followed, err := c.preview(ctx, file.api, p)
		if err != nil {
			return err
		}
		if err := o.lineOf(difference{p.id, p.Version, p.Changes, followed}); err != nil {
			return err
		}
	}
	return nil
}

// showDifferences is printDifferences for people. They can also do without what would follow.
func (c *call) showDifferences(ctx context.Context, to io.Writer, file merchantsFile) {
	for _, p := range file.parts {
		showChanges(to, p.id, p.Changes)
		followed, err := c.preview(ctx, file.api, p)
		if err == nil {
			err = showPreview(to, p.id, followed)
		}
		if err != nil {
			fmt.Fprintf(to, "%s: what would follow is not known: %v\n", printable(p.id), err)
		}
	}
}

// preview returns what the change of a merchant would have done to the latest sessions, nil where there are none. The
// table alone has no preview.
func (c *call) preview(ctx context.Context, api *client, p part) (followed json.RawMessage, err error) {
	direct, err := c.isDirect()
	if direct || err != nil || p.Version == 0 || len(p.Changes) == 0 {
		return nil, err
	}
	body := map[string]any{"settings": p.settings}
	err = api.send(ctx, post{path: "/preview/" + url.PathEscape(p.id), body: body}, &followed)
	return followed, err
}

// showPreview writes what would follow from a change, for people.
func showPreview(to io.Writer, id string, followed json.RawMessage) error {
	if followed == nil {
		return nil
	}
	type count struct {
		Count int `json:"count"`
	}
	var p struct {
		Sessions      int    `json:"sessions"`
		From          string `json:"from"`
		OtherMethods  count  `json:"other_methods"`
		OtherFirstMID count  `json:"other_first_mid"`
		None          count  `json:"none"`
		Gained        count  `json:"gained"`
		Warnings      []struct {
			Path string `json:"path"`
			Text string `json:"text"`
		} `json:"warnings"`
	}
	if err := decode(followed, &p); err != nil {
		return err
	}
	fmt.Fprintf(to, "%s: of %d sessions since %s, %d would have other methods, %d another first MID, %d no method any "+
		"more, and %d that had none would have some\n", printable(id), p.Sessions, shown(p.From), p.OtherMethods.Count,
		p.OtherFirstMID.Count, p.None.Count, p.Gained.Count)
	for _, w := range p.Warnings {
		fmt.Fprintf(to, "%s: %s: %s\n", printable(id), printable(w.Path), printable(w.Text))
	}
	return nil
}
