// Command adminsettings is the Lambda function of that name.
package main

import (
	"checkout/internal/app/editors"
	"checkout/internal/app/function"
)

func main() { function.Serve(editors.Adminsettings) }
