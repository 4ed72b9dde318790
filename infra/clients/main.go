// Command main creates a session, which a test pays at once with the card of the header, and reads its payment, all with
// the generated client: main URL NUMBER HASH HASH, the hashes of the two requests. It prints the session's redirect_url,
// and of the payment its status, order and first transaction.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"clients/checkout"
)

func main() {
	log.SetFlags(0)
	ctx, number := context.Background(), os.Args[2]
	payNow := func(_ context.Context, r *http.Request) error { r.Header.Set("Test-Card", "01/38"); return nil }
	client, err := checkout.NewClientWithResponses(os.Args[1], checkout.WithRequestEditorFn(payNow))
	must(err)

	request := checkout.SessionRequest{MerchantKey: "demo-test", Operation: checkout.SessionRequestOperationPurchase,
		SuccessUrl: "https://shop.example/paid", Hash: os.Args[3]}
	var amount checkout.Amount
	must(amount.FromAmount0("10.00"))
	request.Order.Amount = new(checkout.Order_Amount)
	must(request.Order.Amount.FromAmount(amount))
	must(request.Order.Number.FromOrderNumber0(number))
	must(request.Order.Description.FromOrderDescription0("A gift"))
	request.Order.Currency = "USD"
	created, err := client.CreateSessionWithResponse(ctx, nil, request)
	must(err)
	if created.JSON200 == nil {
		log.Fatalf("session: %s %s", created.Status(), created.Body)
	}
	session, err := created.JSON200.AsSessionResponse()
	must(err)
	fmt.Println(session.RedirectUrl)

	byOrder := checkout.StatusByOrder{MerchantKey: "demo-test", Hash: os.Args[4]}
	must(byOrder.OrderId.FromStatusByOrderOrderId0(number))
	var query checkout.StatusRequest
	must(query.FromStatusByOrder(byOrder))
	status, err := client.PaymentStatusWithResponse(ctx, query)
	must(err)
	if status.JSON200 == nil {
		log.Fatalf("status: %s %s", status.Status(), status.Body)
	}
	payment, err := status.JSON200.AsPayment()
	must(err)
	if payment.Status != checkout.StatusSettled || payment.Transactions == nil || payment.Customer == nil {
		log.Fatalf("status: %s", status.Body)
	}
	first := (*payment.Transactions)[0]
	fmt.Println(payment.Status, payment.Order.Number, first.Type, first.Status, first.Amount)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
