package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"checkout/internal/connector"
)

// Run runs the suite. Tests of what a connector does not implement are skipped.
func Run(t *testing.T, begin func(t *testing.T) Provider) {
	start := func(t *testing.T) Provider {
		t.Helper()
		p := withDeclaration(t, begin(t))
		p.watch = newWatch(t, p.Declaration.Credentials, p.Credentials)
		return p
	}
	run(t, start, "", charges)
	run(t, start, "", pendings)
	run(t, start, "", secondForms)
	run(t, start, "", abilities)
	run(t, start, "", notices)
	run(t, start, "", cancels)
	run(t, start, "", brokenCharges)
	for _, kind := range []connector.RequestKind{connector.RequestCapture, connector.RequestVoid,
		connector.RequestRefund} {
		follow := func(t *testing.T) follower { return follower{start(t), kind} }
		run(t, follow, string(kind)+", ", followUps)
	}
	addresses(t, start)
	t.Run("wallets", func(t *testing.T) { runWallets(t, start) })
}

// withDeclaration adds the declaration of the test's folder, which the service goes by.
func withDeclaration(t *testing.T, p Provider) Provider {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if d, found := connector.Declarations()[filepath.Base(folder)]; found {
		p.Declaration = d
	}
	if len(p.Declaration.Operations) == 0 {
		t.Fatalf("%s has no declaration.json with operations", folder)
	}
	return p
}
