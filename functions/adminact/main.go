// Command adminact is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
)

func main() { function.Serve(queues.Adminact) }
