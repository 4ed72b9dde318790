// Command callback is the Lambda function of that name.
package main

import (
	"checkout/internal/app/callbacks"
	"checkout/internal/app/function"
)

func main() { function.Serve(callbacks.Callback) }
