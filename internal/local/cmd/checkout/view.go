package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// possible is an act that may be asked for now, or why not.
type possible struct {
	Act     string `json:"act"`
	Label   string `json:"label"`
	Allowed bool   `json:"allowed"`
	Why     string `json:"why"`
	Amount  string `json:"amount"` // the most
}

// view is a payment as it is shown to people.
type view struct {
	Row struct {
		Merchant string `json:"merchant"`
		Mode     string `json:"mode"`
		ID       string `json:"id"`
		Order    string `json:"order"`
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	} `json:"row"`
	Summary struct {
		State string `json:"state"`
		Means string `json:"means"`
		Turn  string `json:"turn"`
		Next  string `json:"next"`
		At    string `json:"at"`
		Tell  string `json:"tell"`
		Retry string `json:"retry"`
	} `json:"summary"`
	Facts     []struct{ Name, Text string }     `json:"facts"`
	Timeline  []struct{ At, Kind, Text string } `json:"timeline"`
	Callbacks []json.RawMessage                 `json:"callbacks"`
	Possible  []possible                        `json:"possible"`
	Money     struct {
		Refunded  string `json:"refunded"`
		Returning string `json:"returning"` // by requests without an outcome
	} `json:"money"`
	Chain struct {
		ID       string `json:"id"`
		State    string `json:"state"`
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
		NextAt   string `json:"next_at"`
	} `json:"chain"`
}

// viewOf reads a payment.
func (a *client) viewOf(ctx context.Context, id string) (v view, whole json.RawMessage, err error) {
	if whole, _, err = a.get(ctx, "/payments/"+url.PathEscape(id), nil); err == nil {
		err = decode(whole, &v)
	}
	return v, whole, err
}

// name is how the payment is called where a person is to confirm something.
func (v *view) name() string {
	return printable(fmt.Sprintf("%s of %s (%s, payment %s)", v.Row.Order, v.Row.Merchant, v.Row.Mode, v.Row.ID))
}

func (c *call) showCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "show PAYMENT_ID", does: "tell all that happened to a payment, and what can be done now",
		example: "payments show 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			v, whole, err := api.viewOf(ctx, args[0])
			if err != nil {
				return err
			}
			if !o.people() {
				return o.line(whole)
			}
			return v.print(c)
		},
	})
	c.address(cmd)
	o = c.output(cmd)
	return cmd
}

// print prints the payment for people.
func (v *view) print(c *call) error {
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(rows, "%s\t%s\n", printable(name), printable(strings.TrimSpace(text)))
		}
	}
	row("payment", v.Row.ID)
	row("state", v.Summary.State+": "+v.Summary.Means)
	row("whose turn", v.Summary.Turn)
	row("next", v.Summary.Next+" "+shown(v.Summary.At))
	row("tell the payer", v.Summary.Tell)
	row("another try", v.Summary.Retry)
	if v.Chain.ID != "" {
		row("recurring", v.Chain.State+": see checkout chains show "+v.Chain.ID)
	}
	for _, fact := range v.Facts {
		row(fact.Name, fact.Text)
	}
	fmt.Fprintln(rows)
	for _, event := range v.Timeline {
		fmt.Fprintf(rows, "%s\t%s\t%s\n", shown(event.At), printable(event.Kind), printable(event.Text))
	}
	fmt.Fprintln(rows)
	for _, act := range v.Possible {
		can := "possible, at most " + act.Amount
		switch {
		case !act.Allowed:
			can = "not now: " + act.Why
		case act.Amount == "":
			can = "possible"
		}
		row(cmp.Or(act.Label, act.Act), can)
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	if len(v.Callbacks) > 0 {
		fmt.Fprintln(c.out)
	}
	return table(c.out, v.Callbacks, deliveryColumns...)
}

// toChange reads a payment that is to be changed.
func (c *call) toChange(ctx context.Context, live bool, id string) (*client, *view, error) {
	api, err := c.api(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, _, err := api.viewOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if v.Row.Mode == "live" && !live {
		return nil, nil, misusef("%s is live: say --live", v.name())
	}
	return api, &v, nil
}

// allows returns what is possible of an act.
func (v *view) allows(act string) (possible, error) {
	for _, p := range v.Possible {
		if p.Act == act && p.Allowed {
			return p, nil
		}
		if p.Act == act {
			return p, errors.New("not possible now: " + printable(p.Why))
		}
	}
	return possible{}, errors.New("not possible now")
}
