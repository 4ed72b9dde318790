// Command adminact is the Lambda function of that name.
package main

import (
	"checkout/internal/app/acts"
	"checkout/internal/app/function"
)

func main() { function.Serve(acts.Adminact) }
