package main

import (
	"context"
	"fmt"

	"checkout/internal/app"
)

var paymentCommands = []command{
	{"payments", "show", "PAYMENT_ID", "lists all that happened to a payment, in order, from one consistent read",
		showPayment},
}

func showPayment(ctx context.Context, c *call) error {
	if err := c.parse(1); err != nil {
		return err
	}
	service, err := app.OpenService(ctx, c.env)
	if err != nil {
		return err
	}
	history, err := app.PaymentHistory(ctx, service, c.flags.Arg(0))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.out, history)
	return err
}
