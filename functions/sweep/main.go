// Command sweep is the Lambda function of that name.
package main

import "checkout/internal/app"

func main() { app.Serve(app.Sweep, "TABLE", "JOB_QUEUE_URL", "CALLBACK_QUEUE_URL") }
