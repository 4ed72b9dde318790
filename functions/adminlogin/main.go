// Command adminlogin is the Lambda function of that name.
package main

import (
	"checkout/internal/app/function"
	"checkout/internal/app/logins"
)

func main() { function.Serve(logins.Adminlogin) }
