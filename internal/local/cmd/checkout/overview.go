package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

// overviewCommand prints what waits for operators. Programs get all of it as one line.
func overviewCommand(c *call) *cobra.Command {
	var o *output
	var q *query
	var day, zone string
	cmd := c.command(leaf{use: "overview", does: "say what waits for somebody, and what fails",
		example: "overview --live --day 2026-11-23",
		run: func(ctx context.Context, _ []string) error {
			api, err := c.api(ctx)
			if err != nil {
				return err
			}
			values := q.values()
			for name, value := range map[string]string{"day": day, "zone": zone} {
				if value != "" {
					values.Set(name, value)
				}
			}
			return o.overview(ctx, api, values)
		}})
	c.address(cmd)
	o, q = c.output(cmd), filtered(cmd, "merchant")
	cmd.Flags().StringVar(&day, "day", "", "count the charges of a `DAY` by the hour, too, such as 2026-11-23")
	cmd.Flags().StringVar(&zone, "zone", "", "`ZONE` of the day, such as Europe/Oslo; UTC without it")
	return cmd
}

func (o *output) overview(ctx context.Context, api *client, values url.Values) error {
	all, _, err := api.get(ctx, "/overview", values)
	if err != nil || !o.people() {
		if err == nil {
			err = o.line(all)
		}
		return err
	}
	var items, hours []json.RawMessage
	if err := decode(member(all, "items"), &items); err != nil {
		return err
	}
	if err := o.all(items, "label", "count", "more", "oldest", "payment_id", "merchant", "name"); err != nil {
		return err
	}
	of := member(all, "hours")
	if of == nil {
		return nil
	}
	if err := decode(member(of, "hours"), &hours); err != nil {
		return err
	}
	for i, hour := range hours {
		if hours[i], err = flatHour(hour); err != nil {
			return err
		}
	}
	fmt.Fprintln(o.c.out)
	if from := text(member(of, "counted_from")); from != "" {
		fmt.Fprintf(o.c.notes, "charges before %s are too many to be counted\n", from)
	}
	return o.all(hours, "at", "ended", "accepted", "ended_week_before", "accepted_week_before")
}

// flatHour returns an hour with all its counts as members of its own.
func flatHour(hour json.RawMessage) (json.RawMessage, error) {
	flat := map[string]json.RawMessage{"at": member(hour, "at")}
	for _, of := range []string{"charges", "week_before"} {
		for _, name := range []string{"ended", "accepted"} {
			flat[strings.TrimSuffix(name+"_"+of, "_charges")] = member(member(hour, of), name)
		}
	}
	return json.Marshal(flat)
}
