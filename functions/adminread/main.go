// Command adminread is the Lambda function of that name.
package main

import (
	"checkout/internal/app/archives"
	"checkout/internal/app/function"
)

func main() { function.Serve(archives.Adminread) }
