package method

import "testing"

// The name on a card is filled in with what of the shop's name may be on it.
func TestFitOnCard(t *testing.T) {
	for name, want := range map[string]struct {
		fitting string
		whole   bool
	}{
		"王伟":               {"王伟", true},
		"Cher":             {"Cher", true},
		"D’Angelo":         {"D'Angelo", true},
		"Ame\u0301lie":     {"Amélie", true},
		"Ada Lovelace 3rd": {"Ada Lovelace rd", false},
		"Müller, Anna":     {"Müller Anna", false},
		"Smith/Jones":      {"Smith Jones", false},
		"アダ・ラブレス":          {"アダ ラブレス", false},
		"user123":          {"user", false},
		"Ann Lee 🙂":        {"Ann Lee", false},
		"Ann - Lee":        {"Ann Lee", false},
		"Ana María de los Ángeles Fernández García": {"Ana María de los Ángeles", false},
		"Taumatawhakatangihangakoauauotamatea":      {"Taumatawhakatangihangakoauauotam", false},
	} {
		if fitting, whole := FitOnCard(name); fitting != want.fitting || whole != want.whole {
			t.Errorf("%q: %q %t, want %+v", name, fitting, whole, want)
		}
	}
	for name, is := range map[string]bool{
		"Ada Lovelace": true, "王伟": false, "Ana María de los Ángeles Fernández García": false,
	} {
		if IsOnCard(name) != is {
			t.Errorf("%q: %t", name, !is)
		}
	}
}
