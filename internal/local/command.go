package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ServeCommand lets the operator's command set merchants up in the service until Stop. It returns the file that the
// command reads where the service is, by CHECKOUT_CONFIG. Only this user may read it; Stop removes it.
func (s *Server) ServeCommand(ctx context.Context) (file string, err error) {
	listeners, port, err := listen(ctx, 0, "")
	if err != nil {
		return "", err
	}
	secret := rand.Text()
	s.serve(listeners, s.App.MerchantsHandler(secret))
	text, err := json.Marshal(map[string]any{"settings": map[string]string{
		"LOCAL_SERVICE": fmt.Sprintf("http://localhost:%d", port), "LOCAL_SECRET": secret,
		"BASE_URL": s.URL, "SIMULATOR_URL": s.Simulator.URL,
	}})
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "checkout-run-") // for this user alone
	if err != nil {
		return "", fmt.Errorf("make a folder for the operator's command: %w", err)
	}
	s.commandFolder = folder
	file = filepath.Join(folder, "config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write %s: %w", file, err)
	}
	return file, nil
}
