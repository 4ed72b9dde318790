package method

import "fmt"

// shape returns what all valid values of the type code have in common: a regular expression that matches the whole
// value, "" for any text, and the least and most characters, 0 for any number.
func (p Param) shape() (pattern string, least, most int) {
	letters, length, places := codeParts(p.Type)
	switch {
	case p.Type == TypeDate:
		return "[0-9]{4}-[0-9]{2}-[0-9]{2}", 10, 10
	case p.Type == "NN":
		return "[0-9]{2}", 2, 2
	case p.Type == "N13", p.Type == TypeNumber:
		return `[0-9]+(\.[0-9]+)?`, 1, 14
	case letters == "N":
		return fmt.Sprintf("[0-9]{1,%d}", length), 1, length
	case letters == "N.N":
		return fmt.Sprintf(`[0-9]{1,%d}(\.[0-9]{1,%d})?`, length, places), 1, length + 1 + places
	case letters == "A":
		return fmt.Sprintf("[A-Za-z]{%d}", length), length, length
	case letters == "AN" && length > 0:
		return "", 1, length
	case letters == "AN":
		return "", 1, anyLengthAN
	case p.Type == TypeString:
		return "", 1, anyLength
	}
	return "", 0, 0
}

// input returns the page's input for a parameter, with the limits that follow from its type code and list of values.
func (p Param) input() Input {
	in := *p.Page
	in.Check, in.Writing = p.Check, p.writing()
	if p.By != nil {
		in.OptionsBy, in.Writings = p.By.Row, p.By.writings()
	}
	if p.Values != nil {
		if in.Options == nil {
			for _, value := range p.Values {
				in.Options = append(in.Options, Option{Value: value})
			}
		}
		return in
	}
	if rules[p.Check].read != nil {
		return in // the check takes values in other writings, which may be longer
	}
	pattern, least, most := p.shape()
	if in.Pattern == "" {
		in.Pattern = pattern
	}
	if in.Max == 0 {
		in.Min, in.Max = least, most
	}
	return in
}
