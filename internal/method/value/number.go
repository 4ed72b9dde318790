package value

import "strings"

// number is the rule of a number with check digits.
type number struct {
	least, most int    // characters; in front of a shorter one zeros are put for the sums
	letters     int    // as many places from the first may have A to Z instead of digits
	prefixes    string // one of which it begins with; "": any
	sums        []sum  // each makes one check digit
	luhn        bool   // the last digit is a Luhn digit
	unlike      bool   // not all digits are the same
	last        string // what the last character may be; "": a digit
}

// sum is the rule of a check digit: the characters from a place on are multiplied with weights and added up; the
// remainder of a division chooses the digit that has to follow them. A letter counts as its ASCII code less 48.
type sum struct {
	from    int
	weights []int
	digits  string // by remainder; as many as the modulus
}

// The digits by remainder of 10 and 11: the modulus less the remainder, with what each standard has instead of 10 and
// 11.
const (
	mod10       = "0987654321"
	mod11Zero   = "00987654321"
	mod11Nine   = "09987654321"
	mod11K      = "0K987654321"
	mod11OneTop = "10987654321"
	mod11Direct = "01987654321"
)

var (
	cpf = number{least: 11, most: 11, unlike: true, sums: []sum{
		{0, []int{10, 9, 8, 7, 6, 5, 4, 3, 2}, mod11Zero},
		{0, []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}, mod11Zero},
	}}
	cnpj = number{least: 14, most: 14, letters: 12, unlike: true, sums: []sum{
		{0, []int{5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}, mod11Zero},
		{0, []int{6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}, mod11Zero},
	}}
	cuit = number{least: 11, most: 11, prefixes: "20 23 24 25 26 27 30 33 34 50 51 55", sums: []sum{
		{0, []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}, mod11Nine},
	}}
	rut = number{least: 8, most: 9, last: "0123456789K", sums: []sum{
		{0, []int{3, 2, 7, 6, 5, 4, 3, 2}, mod11K},
	}}
	ciUruguay = number{least: 7, most: 8, sums: []sum{
		{0, []int{2, 9, 8, 7, 6, 3, 4}, mod10},
	}}
	ciEcuador = number{least: 10, most: 10, luhn: true,
		prefixes: "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 30"}
	ruc = number{least: 11, most: 11, prefixes: "10 15 16 17 20", sums: []sum{
		{0, []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}, mod11OneTop},
	}}
	nit = number{least: 6, most: 16, sums: []sum{
		{0, []int{71, 67, 59, 53, 47, 43, 41, 37, 29, 23, 19, 17, 13, 7, 3}, mod11Direct},
	}}
	clabe = number{least: 18, most: 18, sums: []sum{
		{0, []int{3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7}, mod10},
	}}
	cbu = number{least: 22, most: 22, sums: []sum{
		{0, []int{7, 1, 3, 9, 7, 1, 3}, mod10},
		{8, []int{3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3}, mod10},
	}}
	aba = number{least: 9, most: 9,
		prefixes: "00 01 02 03 04 05 06 07 08 09 10 11 12 21 22 23 24 25 26 27 28 29 30 31 32 " +
			"61 62 63 64 65 66 67 68 69 70 71 72 80",
		sums: []sum{{0, []int{3, 7, 1, 3, 7, 1, 3, 7}, mod10}}}
)

// CPF checks a Cadastro de Pessoas Físicas of Brazil.
func CPF(text string) (string, bool) { return cpf.check(text) }

// CNPJ checks a Cadastro Nacional da Pessoa Jurídica of Brazil, which may have letters since July 2026 (Receita
// Federal, Nota Técnica 49/2024).
func CNPJ(text string) (string, bool) { return cnpj.check(text) }

// CUIT checks a CUIT or CUIL of Argentina.
func CUIT(text string) (string, bool) { return cuit.check(text) }

// RUT checks a RUT or RUN of Chile.
func RUT(text string) (string, bool) { return rut.check(text) }

// CIUruguay checks a cédula de identidad of Uruguay. A zero is put in front of an old one of 7 digits.
func CIUruguay(text string) (string, bool) {
	plain, ok := ciUruguay.check(text)
	if ok && len(plain) < ciUruguay.most {
		plain = "0" + plain
	}
	return plain, ok
}

// CIEcuador checks a cédula de identidad of Ecuador, which begins with its province.
func CIEcuador(text string) (string, bool) { return ciEcuador.check(text) }

// RUC checks a Registro Único de Contribuyentes of Peru.
func RUC(text string) (string, bool) { return ruc.check(text) }

// NIT checks a Número de Identificación Tributaria of Colombia with its check digit.
func NIT(text string) (string, bool) { return nit.check(text) }

// CLABE checks an account number of Mexico.
func CLABE(text string) (string, bool) { return clabe.check(text) }

// CBU checks an account number of Argentina.
func CBU(text string) (string, bool) { return cbu.check(text) }

// ABA checks a routing number of the United States, which begins with its Federal Reserve district.
func ABA(text string) (string, bool) { return aba.check(text) }

func (n number) check(text string) (string, bool) {
	text = compact(text)
	if !n.hasForm(text) {
		return text, false
	}
	whole := strings.Repeat("0", n.most-len(text)) + text
	for _, s := range n.sums {
		if !s.holds(whole) {
			return text, false
		}
	}
	return text, !n.luhn || Luhn(text)
}

func (n number) hasForm(text string) bool {
	if len(text) < n.least || len(text) > n.most || strings.Trim(text, "0") == "" {
		return false
	}
	if n.unlike && strings.Trim(text, text[:1]) == "" {
		return false
	}
	if n.prefixes != "" && !strings.Contains(" "+n.prefixes+" ", " "+text[:2]+" ") {
		return false
	}
	end := len(text) - 1
	if n.last != "" && strings.IndexByte(n.last, text[end]) >= 0 {
		text = text[:end]
	}
	return all(text[:n.letters], n.letters, n.letters, isAlphanumeric) && all(text[n.letters:], 0, n.most, isDigit)
}

func (s sum) holds(text string) bool {
	total := 0
	for i, weight := range s.weights {
		total += weight * int(text[s.from+i]-'0')
	}
	return text[s.from+len(s.weights)] == s.digits[total%len(s.digits)]
}

// Luhn reports whether the last of some digits is a correct Luhn digit (ISO/IEC 7812-1, annex B).
func Luhn(digits string) bool {
	total := 0
	for i := range len(digits) {
		digit := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			digit *= 2
		}
		total += digit/10 + digit%10
	}
	return total%10 == 0
}
