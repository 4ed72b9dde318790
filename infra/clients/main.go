// Command main creates a session, which a test pays at once with the card of the header, reads its payment and refunds a
// part, all with the client that oapi-codegen makes: main URL NUMBER PASSWORD. It prints the session's redirect_url, of the
// payment its status, order and first transaction, and what became of the refund.
package main

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"clients/checkout"
)

func main() {
	log.SetFlags(0)
	ctx, number, password := context.Background(), os.Args[2], os.Args[3]
	payNow := func(_ context.Context, r *http.Request) error { r.Header.Set("Test-Card", "01/38"); return nil }
	client, err := checkout.NewClientWithResponses(os.Args[1], checkout.WithRequestEditorFn(payNow))
	must(err)

	amount, part := "10.00", "4.00"
	created, err := client.CreateSessionWithResponse(ctx, nil, checkout.SessionRequest{
		MerchantKey: "demo-test",
		Operation:   checkout.Purchase,
		SuccessUrl:  "https://shop.example/paid",
		Order:       checkout.Order{Number: number, Amount: &amount, Currency: "USD", Description: "A gift"},
		Hash:        sign(number, amount, "USD", "A gift", password),
	})
	must(err)
	if created.JSON200 == nil {
		log.Fatalf("session: %s %s", created.Status(), created.Body)
	}
	fmt.Println(*created.JSON200.RedirectUrl)

	query := checkout.StatusRequest{MerchantKey: "demo-test", OrderId: &number, Hash: sign(number, password)}
	status, err := client.PaymentStatusWithResponse(ctx, query)
	must(err)
	if status.JSON200 == nil || status.JSON200.Transactions == nil {
		log.Fatalf("status: %s %s", status.Status(), status.Body)
	}
	payment, first := status.JSON200, (*status.JSON200.Transactions)[0]
	fmt.Println(payment.Status, payment.Order.Number, first.Type, first.Status, first.Amount)

	key := "refund-" + number
	refund, err := client.RefundPaymentWithResponse(ctx, &checkout.RefundPaymentParams{IdempotencyKey: &key},
		checkout.AmountRequest{
			MerchantKey: "demo-test",
			PaymentId:   payment.PaymentId,
			Amount:      &part,
			Hash:        sign(payment.PaymentId.String(), part, password),
		})
	must(err)
	if refund.JSON200 == nil {
		log.Fatalf("refund: %s %s", refund.Status(), refund.Body)
	}
	fmt.Println(refund.JSON200.Result)
}

func sign(parts ...string) string {
	inner := md5.Sum([]byte(strings.ToUpper(strings.Join(parts, ""))))
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "%x", inner)))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
