// Command connector is the Lambda function of that name.
package main

import "checkout/internal/app"

func main() {
	app.Serve(app.Connector, "TABLE", "BASE_URL", "JOB_QUEUE_URL", "CALLBACK_QUEUE_URL", "VAULT_KEY_ID", "CARD_KEY_ID")
}
