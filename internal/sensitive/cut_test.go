package sensitive

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCutNumber has twelve digits and more of a number, and what stays although some digits are the same.
func TestCutNumber(t *testing.T) {
	const other = "4539578763621486"
	known, masked := NewFinder([]string{other}, nil), NewFinder(nil, []string{"453957******1486"})
	for text, want := range map[string]struct{ known, masked bool }{
		"453957876362":                             {true, true}, // its first twelve
		"4539 5787 6362":                           {true, true},
		"4539 5787 6362 ****":                      {true, true},
		"4539-5787-6362-148":                       {true, true},
		"453957xx63621486":                         {true, true},
		"453957**63621486":                         {true, true},
		"4539 57•• 6362 1486":                      {true, true},
		"45395787####1486":                         {true, true},
		"45x9 5x87 6x62 1486":                      {true, true},
		"4539578...3621486":                        {true, true},
		"4539578763 [...] 86":                      {true, false},
		"XX39 5787 6362 1486":                      {true, true},
		"****578763621486":                         {true, true},
		"578763621486":                             {true, false},  // which may be anything else
		"453957******1486":                         {false, false}, // may be shown
		"453957":                                   {false, false},
		"45395787636":                              {false, false}, // eleven
		"************1486":                         {false, false},
		"4539 57** **** 1486":                      {false, false},
		"453958876362":                             {false, false},
		"4539 5812 3456 1486":                      {false, false},
		"1234 5787 6362 1486":                      {true, false},
		"4539571234567892":                         {false, false}, // another number
		"8453957876362":                            {true, false},
		"x39578763 of 2026-1486":                   {false, false},
		"000000000000":                             {false, false},
		"maxxxxxxxxxxxxx":                          {false, false}, // a word of twelve, which begins before
		"Axxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": {false, false},
	} {
		for _, whole := range []string{text, "Card " + text + " refused.", "(" + text + ")", "a=" + text + "&b=1"} {
			if known.Has(whole) != want.known {
				t.Errorf("of the number %q: %t", whole, !want.known)
			}
			if masked.Has(whole) != want.masked {
				t.Errorf("of the mask %q: %t", whole, !want.masked)
			}
			for _, f := range []Finder{known, masked} {
				if shown := f.Mask(whole); f.Has(whole) == (shown == whole) || f.Has(shown) {
					t.Errorf("%q becomes %q", whole, shown)
				}
			}
		}
	}
	if shown := masked.Mask("Card 4539 5787 6362 of 10.00 EUR"); shown != "Card ****** of 10.00 EUR" {
		t.Errorf("shown: %q", shown)
	}
	if NewFinder([]string{"4000000000000002"}, nil).HasLong("0.000000000000005000") {
		t.Error("an amount of a coin is a card's number")
	}
}

// TestHexOfPrograms has numbers in hex with what programs write before it.
func TestHexOfPrograms(t *testing.T) {
	for _, f := range []Finder{NewFinder([]string{number}, nil), NewFinder(nil, []string{"401288******1881"})} {
		for _, text := range []string{
			"0x" + hex.EncodeToString([]byte(number)), "0X" + strings.ToUpper(hex.EncodeToString([]byte(number))),
			fmt.Sprintf("0x%x", 4012888888881881), fmt.Sprintf("0X%X", 4012888888881881),
			"0x" + hex.EncodeToString([]byte("0x"+hex.EncodeToString([]byte(number)))),
			"10x" + hex.EncodeToString([]byte(number)), "0x" + number, "0x0" + fmt.Sprintf("%x", 4012888888881881),
			fmt.Sprintf("x'%x'", 4012888888881881), fmt.Sprintf("#%x", 4012888888881881), fmt.Sprintf("%xh", 4012888888881881),
		} {
			for _, whole := range []string{text, "Refused: " + text + ".", "a=" + text + "&b=1"} {
				if !f.Has(whole) || f.Mask(whole) == whole {
					t.Errorf("%q is not found", whole)
				}
			}
		}
	}
}

// Whatever a provider says can be masked: parts of numbers beside letters and the characters that hide digits.
func TestAnyTextIsMasked(t *testing.T) {
	const number = "4539578763621486"
	f := NewFinder([]string{"secret", "9173"}, []string{"453957******1486"})
	parts := []string{number, number[:6], number[6:12], number[12:], "secret", "9173", "cvv", "x", "X", "*", "•", "a", "ü",
		" ", ".", "-", "0x", "%20", "&#", "xxxxxxxxxxxx", "\xff", "0", "5"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		if shown := f.Mask(text); f.Has(shown) {
			t.Fatalf("%q becomes %q", text, shown)
		}
	})
}
