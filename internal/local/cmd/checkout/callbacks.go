package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

var callbackCommands = []command{
	{"callbacks", "list", "[-url URL] [-since TIME]",
		"lists callbacks that wait or are parked: all, those of an address, those of events since a time", listCallbacks},
	{"callbacks", "send", actArgs + "PAYMENT_ID SEQ | -url URL | -since TIME",
		"has callbacks sent now that wait or are parked: one, or all that list would list", sendCallbacks},
}

// callbackFlags are the flags that choose undelivered callbacks. The returned function reads them once they are parsed.
func (c *call) callbackFlags() func() (app.Callbacks, error) {
	address := c.flags.String("url", "", "notification_url that they would be sent to now")
	since := c.flags.String("since", "", "time of the first event, such as 2026-11-21T15:04:05Z (RFC 3339)")
	return func() (app.Callbacks, error) {
		query := app.Callbacks{URL: *address}
		if *since == "" {
			return query, nil
		}
		var err error
		if query.Since, err = time.Parse(time.RFC3339, *since); err != nil {
			return query, fmt.Errorf("-since: %w", err)
		}
		return query, nil
	}
}

func listCallbacks(ctx context.Context, c *call) error {
	chosen := c.callbackFlags()
	if err := c.parse(0); err != nil {
		return err
	}
	query, err := chosen()
	if err != nil {
		return err
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	found, err := service.Undelivered(ctx, query)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	parked := 0
	for _, u := range found {
		state := "waiting, next try "
		if u.State == app.Parked {
			state = "parked "
			parked++
		}
		fmt.Fprintf(rows, "%s\t%d\t%s\t%s\t%s%s\t%d tries\t%s\t%s\n", u.PaymentID, u.Seq,
			u.CreatedAt.UTC().Format(time.RFC3339), u.Event,
			state, u.At.UTC().Format(time.RFC3339), u.Tries, u.LastTry, shownURL(u.URL))
	}
	fmt.Fprintf(rows, "%d waiting, %d parked\n", len(found)-parked, parked)
	return rows.Flush()
}

// shownURL is an address without the parts that may be secret.
func shownURL(text string) string {
	if text == "" {
		return "no notification_url"
	}
	u, err := url.Parse(text)
	if err != nil {
		return "not a URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func sendCallbacks(ctx context.Context, c *call) error {
	chosen := c.callbackFlags()
	c.actFlags()
	if err := c.parse(0, 2); err != nil {
		return err
	}
	query, err := chosen()
	if err != nil {
		return err
	}
	all := query.URL != "" || !query.Since.IsZero()
	if all == (c.flags.NArg() == 2) {
		return errors.New("name either PAYMENT_ID and SEQ, or -url, -since or both")
	}
	seq, sent := 0, 1
	if !all {
		if seq, err = strconv.Atoi(c.flags.Arg(1)); err != nil {
			return fmt.Errorf("SEQ: %q is no number", c.flags.Arg(1))
		}
	}
	service, err := c.changeService(ctx)
	if err != nil {
		return err
	}
	if all {
		if sent, err = service.SendAll(ctx, query); err != nil {
			err = fmt.Errorf("after %d callbacks: %w", sent, err)
		}
	} else {
		err = service.SendAgain(ctx, c.flags.Arg(0), seq)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%d callbacks are due; the sweep puts them on their queue within a minute\n", sent)
	return err
}
