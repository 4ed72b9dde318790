// Command capture is the Lambda function of that name.
package main

import "checkout/internal/app"

func main() { app.Serve(app.Capture) }
