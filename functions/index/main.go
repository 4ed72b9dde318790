// Command index is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/indexes"
)

func main() { function.Serve(indexes.Index) }
