// Command guard is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/guards"
)

func main() { function.Serve(guards.Guard) }
