// Command empty is a Lambda function that does nothing, to compare with.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() { lambda.Start(func() {}) }
