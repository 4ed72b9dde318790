// Command connector is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/tokens"
)

func main() { function.Serve(tokens.Connector) }
