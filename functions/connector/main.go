// Command connector is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/wallets"
)

func main() { function.Serve(wallets.Connector) }
