package local

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"checkout/internal/api"
	"checkout/internal/app"
)

// ServeCommand lets the operator's command use the admin API until Stop, as the administrator of the run. It returns
// the file that the command reads by CHECKOUT_CONFIG, with the session of that person beside it. Only this user may
// read them; Stop removes them.
func (s *Server) ServeCommand(ctx context.Context) (file string, err error) {
	listeners, port, err := listen(ctx, 0, "")
	if err != nil {
		return "", err
	}
	token := rand.Text()
	s.serve(listeners, s.asAdministrator(token))
	folder, err := os.MkdirTemp("", "checkout-run-") // for this user alone
	if err != nil {
		return "", fmt.Errorf("make a folder for the operator's command: %w", err)
	}
	s.commandFolder = folder
	for name, content := range map[string]any{
		"config.json": map[string]any{"settings": map[string]string{
			"BASE_URL": s.URL, "SIMULATOR_URL": s.Simulator.URL,
		}},
		"session.json": map[string]string{
			"url": fmt.Sprintf("http://localhost:%d", port), "who": app.LocalOperator, "token": token,
		},
	} {
		text, err := json.Marshal(content)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			return "", fmt.Errorf("write %s: %w", name, err)
		}
	}
	return filepath.Join(folder, "config.json"), nil
}

// asAdministrator serves the admin API to whoever knows a token, as the administrator of the run.
func (s *Server) asAdministrator(token string) http.Handler {
	admin := s.App.Admin()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
			http.Error(w, "not signed in", http.StatusUnauthorized)
			return
		}
		ctx := api.WithCaller(r.Context(), app.LocalOperator, r.Header.Get("X-Admin-Via"))
		admin.ServeHTTP(w, r.WithContext(ctx))
	})
}
