// Package web uses what functions are built with that serve HTTP.
package web

import (
	"net/http"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Serve serves no path.
func Serve() {
	mux := http.NewServeMux()
	mux.Handle("/", http.NotFoundHandler())
	lambda.Start(httpadapter.NewV2(mux).ProxyWithContext)
}
