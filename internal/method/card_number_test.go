package method

import "testing"

func TestMaskCardNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"4111111111111111":                     Masked,
		"Card 4111 1111 1111 1111 refused.":    "Card " + Masked + " refused.",
		"378282246310005, 4111-1111-1111-1111": Masked + ", " + Masked,
		"reference 4111111111111112":           "reference 4111111111111112",
		"411111111111":                         "411111111111", // 12 digits
		"10.00 of 2030-01-02 at 10:11:12":      "10.00 of 2030-01-02 at 10:11:12",
	} {
		if got := MaskCardNumbers(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
