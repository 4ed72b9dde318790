// Command notify is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/providers"
)

func main() { function.Serve(providers.Notify) }
