// Command page is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/pages"
)

func main() { function.Serve(pages.Page) }
