package method

// Writing is how the values of a check are written, which the page tells payers.
type Writing struct {
	Signs   Signs    `json:"signs,omitempty"`   // that Lengths counts
	Lengths [][2]int `json:"lengths,omitempty"` // the least and the most signs, in order; empty: any number
	Example string   `json:"example,omitempty"` // a good value
}

// Signs are what a value is written with.
type Signs string

// The signs. Spaces, dots, hyphens and slashes between digits and letters are not counted.
const (
	SignsDigits  Signs = "digits"
	SignsLetters Signs = "letters_digits"
	SignsAny     Signs = "signs" // every character counts
)

// writings are those of the checks in check_table.go whose values payers type. An example is nobody's number: it is one
// that the documents of its kind use, or made by the rule.
var writings = map[Check]Writing{
	rulePhone:      {Example: "+14155552671"},
	ruleMSISDN:     {Example: "+14155552671"},
	ruleBeninTogo:  {Example: "+2290197000000"},
	ruleCPF:        {SignsDigits, [][2]int{{11, 11}}, "52998224725"},
	ruleCPFOrCNPJ:  {SignsLetters, [][2]int{{11, 11}, {14, 14}}, "52998224725"},
	ruleCUIT:       {SignsDigits, [][2]int{{11, 11}}, "20055361682"},
	ruleDNIOrCUIT:  {SignsDigits, [][2]int{{7, 8}, {11, 11}}, "20123456"},
	ruleCURP:       {SignsLetters, [][2]int{{18, 18}}, "BOXW310820HNERXN09"},
	ruleRFC:        {SignsLetters, [][2]int{{12, 13}}, "GODE561231GR8"},
	ruleRUT:        {SignsLetters, [][2]int{{8, 9}}, "12.531.909-2"},
	ruleCIOrRUN:    {SignsLetters, [][2]int{{7, 10}}, "12345672"},
	ruleIDColombia: {SignsDigits, [][2]int{{5, 16}}, "1020304050"},
	ruleCCI:        {SignsDigits, [][2]int{{20, 20}}, "01136600010003254221"},
	ruleCBU:        {SignsDigits, [][2]int{{22, 22}}, "2850590940090418135201"},
	ruleCBUAlias:   {SignsAny, [][2]int{{6, 20}}, "mi.cuenta.sueldo"},
	ruleCNPJ:       {SignsLetters, [][2]int{{14, 14}}, "11222333000181"},
	ruleDNIPeru:    {SignsDigits, [][2]int{{8, 8}}, "10117410"},
	ruleCEPeru:     {SignsLetters, [][2]int{{9, 12}}, "001043328"},
	rulePASPeru:    {SignsLetters, [][2]int{{5, 12}}, "AB123456"},
	ruleRUC:        {SignsDigits, [][2]int{{11, 11}}, "20512333797"},
	ruleCCColombia: {SignsDigits, [][2]int{{5, 10}}, "1020304050"},
	ruleCEColombia: {SignsDigits, [][2]int{{6, 7}}, "384512"},
	ruleIFSC:       {SignsLetters, [][2]int{{11, 11}}, "SBIN0000300"},
	ruleUPI:        {Example: "name@bank"},
	ruleEmail:      {Example: "name@example.com"},

	ruleTransferPhone: {Example: "+5511961234567"},
	ruleRandomKey:     {Example: "123e4567-e12b-12d1-a456-426655440000"},
}

// writing returns how values of the row are written, nil for any text. A row of digits without a check has no example.
// Nobody needs to be told what an e-mail address looks like until it is wrong.
func (p Param) writing() *Writing {
	if w, found := writings[p.Check]; found && p.Check != ruleEmail {
		return &w
	}
	if letters, most, _ := codeParts(p.Type); p.Check == "" && letters == "N" {
		return &Writing{Signs: SignsDigits, Lengths: [][2]int{{1, most}}}
	}
	return nil
}

// writings returns the same by the values of the row that decides about the check.
func (by CheckBy) writings() map[string]Writing {
	all := map[string]Writing{}
	for value, check := range by.Checks {
		all[value] = writings[check]
	}
	return all
}
