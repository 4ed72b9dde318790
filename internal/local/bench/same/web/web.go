// Package web uses what functions are built with that serve HTTP.
package web

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/lambda"
)

// Serve serves no path.
func Serve() { lambda.Start(handler{http.NewServeMux()}) }

type handler struct{ mux *http.ServeMux }

// Invoke implements lambda.Handler.
func (h handler) Invoke(ctx context.Context, _ []byte) ([]byte, error) {
	h.mux.Handle("/", http.NotFoundHandler())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	h.mux.ServeHTTP(nil, r)
	return nil, err
}
