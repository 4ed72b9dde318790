package brcode

import (
	"strings"
	"testing"
)

// The published examples: the check value of CRC-16/CCITT-FALSE, the static code of the manual of the central bank of
// Brazil (Manual do BR Code), and the code of the EMVCo specification of merchant-presented QR codes.
func TestPublishedExamples(t *testing.T) {
	if got := crc("123456789"); got != 0x29B1 {
		t.Errorf("CRC of 123456789: %04X", got)
	}
	for _, text := range []string{
		"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
			"5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
		"00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT" +
			"6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME9132" +
			"0016A0112233449988770708123456786304A13A",
	} {
		if got := withCRC(text[:len(text)-8]); got != text {
			t.Errorf("%s\nis %s", text, got)
		}
	}
}

func TestText(t *testing.T) {
	manual := Charge{Key: "123e4567-e12b-12d1-a456-426655440000", Currency: "986", Name: "Fulano de Tal", City: "BRASILIA"}
	if got := Text(manual); got != "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000"+
		"5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D" {
		t.Errorf("the manual's charge: %s", got)
	}
	full := manual
	full.Amount, full.ID, full.Name = "10.00", strings.Repeat("A1", 20), strings.Repeat("N", 30)
	got := Text(full)
	for _, want := range []string{"530398654" + "0510.005802BR", "5925" + strings.Repeat("N", 25) + "60",
		"62290525" + strings.Repeat("A1", 12) + "A6304"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	full.Amount = "12345678901.00" // too long: a shorter amount would be another one
	if got := Text(full); strings.Contains(got, "123456789") {
		t.Errorf("the amount was cut: %s", got)
	}
}
