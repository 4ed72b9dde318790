package smoke

import "testing"

func TestCheckStyle(t *testing.T) {
	const policy = `<meta content="style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='">` // of nothing
	for html, works := range map[string]bool{
		policy + "\n<style></style>":       true,
		policy + "\n<style>body{}</style>": false,
		policy:                             false,
		"<style></style>":                  false,
		`<link rel="stylesheet" href="style.css">` + policy: false,
	} {
		if err := checkStyle(html); (err == nil) != works {
			t.Errorf("%s: %v", html, err)
		}
	}
}
