package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// deliveryColumns are what is shown of the callbacks of a payment.
var deliveryColumns = []string{"seq", "id", "event", "state", "created_at", "next_at", "url"}

// undelivered is the list of callbacks that wait or are parked.
var undelivered = list{"/callbacks", "callbacks", false, []string{"created_at", "merchant", "mode", "payment_id", "seq",
	"event", "state", "at", "tries", "last_try", "url"}}

// undeliveredFilters are the filters of them beside their address.
var undeliveredFilters = []string{"merchant", "from", "until", "callbacks"}

func callbackCommands(c *call) *cobra.Command {
	return group("callbacks", "see what merchants did not get, and send it again",
		c.listCallbacksCommand(), c.showCallbacksCommand(), c.sendCallbacksCommand())
}

func (c *call) listCallbacksCommand() *cobra.Command {
	var q *query
	var o *output
	var p *pages
	cmd := c.command(leaf{
		use: "list", does: "list callbacks that wait or are parked, and count them",
		example: "callbacks list --live --url https://shop.example/callback --from 2026-11-21",
		run: func(ctx context.Context, _ []string) error {
			last, err := undelivered.read(ctx, o, p, q.values())
			if err == nil {
				least := map[bool]string{true: "at least "}[text(member(last, "more")) == "true"]
				fmt.Fprintf(c.notes, "%s%s waiting, %s parked\n", least, text(member(last, "waiting")),
					text(member(last, "parked")))
			}
			return err
		},
	})
	c.address(cmd)
	q, o, p = filtered(cmd, undeliveredFilters...), c.output(cmd), paged(cmd)
	q.to(cmd)
	return cmd
}

// to adds the filter of the address that callbacks go to.
func (q *query) to(cmd *cobra.Command) {
	cmd.Flags().StringVar(&q.url, "url", "", "`URL` that they would be sent to now")
}

func (c *call) showCallbacksCommand() *cobra.Command {
	var o *output
	cmd := c.command(leaf{
		use: "show PAYMENT_ID [SEQ]", does: "show the callbacks of a payment, with each try",
		example: "callbacks show 3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d 2", args: cobra.RangeArgs(1, 2),
		run: func(ctx context.Context, args []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			v, _, err := api.viewOf(ctx, args[0])
			if err != nil {
				return err
			}
			found := 0
			for _, one := range v.Callbacks {
				if len(args) == 2 && text(member(one, "seq")) != args[1] {
					continue
				}
				found++
				if err := printCallback(o, one); err != nil {
					return err
				}
			}
			if found == 0 {
				return errNothing
			}
			return nil
		},
	})
	c.address(cmd)
	o = c.output(cmd)
	return cmd
}

// printCallback prints a callback with its tries.
func printCallback(o *output, callback json.RawMessage) error {
	if !o.people() {
		return o.line(callback)
	}
	if err := table(o.c.out, []json.RawMessage{callback}, deliveryColumns...); err != nil {
		return err
	}
	var tries []json.RawMessage
	if err := decode(member(callback, "tries"), &tries); err != nil {
		return err
	}
	rows := tabwriter.NewWriter(o.c.out, 0, 0, 2, ' ', 0)
	for _, try := range tries {
		status := text(member(try, "status"))
		if status == "" {
			status = "no response"
		}
		fmt.Fprintf(rows, "  %s\t%s\t%s\n", text(member(try, "at")), status, text(member(try, "error")))
	}
	return rows.Flush()
}

func (c *call) sendCallbacksCommand() *cobra.Command {
	var ch *change
	var q *query
	var o *output
	var expected int
	cmd := c.command(leaf{
		use: "send [PAYMENT_ID SEQ]", does: "send one callback again, delivered or not, or all undelivered ones of a filter",
		example: `callbacks send --live --url https://shop.example/callback --reason "the shop is back"`,
		args:    cobra.MaximumNArgs(2),
		run: func(ctx context.Context, args []string) error {
			chosen := q.values()
			if one := len(args) == 2; len(args) == 1 || one == (len(chosen) > 1) {
				return misusef("name either PAYMENT_ID and SEQ, or filters that choose callbacks")
			}
			ch.live = q.live
			if len(args) == 2 {
				return c.sendOne(ctx, o, ch, args)
			}
			return c.sendMany(ctx, o, bulk{ch, chosen, expected})
		},
	})
	ch, o, q = c.changes(cmd), c.output(cmd), filtered(cmd, undeliveredFilters...)
	q.to(cmd)
	cmd.Flags().IntVar(&expected, "expected", 0, "of a call to repeat: how `MANY` it was about")
	return cmd
}

func (c *call) sendOne(ctx context.Context, o *output, ch *change, args []string) error {
	if _, err := strconv.Atoi(args[1]); err != nil {
		return misusef("SEQ: %q is no number", args[1])
	}
	api, _, err := c.toChange(ctx, ch.live, args[0])
	if err != nil {
		return err
	}
	ch.begin()
	path := "/payments/" + url.PathEscape(args[0]) + "/callbacks/" + args[1] + "/send"
	var result json.RawMessage
	if err := api.change(ctx, post{path, ch.key, map[string]string{"reason": ch.reason}}, &result); err != nil {
		return err
	}
	if !o.people() {
		return o.line(result)
	}
	fmt.Fprintln(c.out, printable(text(member(result, "text"))))
	if response := text(member(result, "try.response")); response != "" {
		fmt.Fprintf(c.out, "its response begins: %s\n", printable(response))
	}
	if text(member(result, "decided")) != "true" {
		fmt.Fprintf(c.out, "see checkout callbacks show %s %s\n", args[0], args[1])
	}
	return nil
}

// bulk is a call that sends all callbacks that filters choose.
type bulk struct {
	*change
	chosen   url.Values
	expected int // 0: they are counted
}

// sent is how many callbacks were taken to be sent.
type sent struct {
	Sent   int    `json:"sent"`
	Left   int    `json:"left"`
	Cursor string `json:"cursor,omitempty"`
}

// sendMany counts callbacks, asks, and has them sent, part by part. Each part has a key of its own that follows from
// the first, so that a repeat is the same calls.
func (c *call) sendMany(ctx context.Context, o *output, b bulk) error {
	api, err := c.api(ctx)
	if err != nil {
		return err
	}
	counted := "as before"
	if repeats := b.begin(); !repeats || b.expected == 0 {
		var count struct{ Waiting, Parked int }
		if err := api.read(ctx, "/callbacks", b.chosen, &count); err != nil {
			return err
		}
		if b.expected = count.Waiting + count.Parked; b.expected == 0 {
			return errNothing
		}
		counted = fmt.Sprintf("%d wait, %d are parked", count.Waiting, count.Parked)
	}
	if err := c.confirm(b.yes, "Send %d callbacks again (%s)", b.expected, counted); err != nil {
		return err
	}
	body := map[string]any{"expected": b.expected, "reason": b.reason}
	for name, values := range maps.All(b.chosen) {
		body[name] = values[0]
	}
	total := sent{}
	for part := 1; ; part++ {
		key := b.key
		if part > 1 {
			key += "-" + strconv.Itoa(part)
		}
		var one sent
		if err := api.change(ctx, post{"/callbacks/send", key, body}, &one); err != nil {
			var again repeatable
			if errors.As(err, &again) {
				again.key = fmt.Sprintf("%s --expected %d", b.key, b.expected)
				err = again
			}
			return fmt.Errorf("after %d callbacks: %w", total.Sent, err)
		}
		total.Sent, total.Left = total.Sent+one.Sent, one.Left
		if one.Cursor == "" {
			return c.printSent(o, total)
		}
		fmt.Fprintf(c.notes, "%d of %d\n", total.Sent, b.expected)
		body["cursor"] = one.Cursor
	}
}

func (c *call) printSent(o *output, s sent) error {
	if !o.people() {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		return o.line(line)
	}
	_, err := fmt.Fprintf(c.out, "%d callbacks are sent within a minute, %d are left\n", s.Sent, s.Left)
	return err
}
