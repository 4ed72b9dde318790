package browser

import (
	"image/color"
	"math"
)

// contrast is that of WCAG 2.
func contrast(a, b color.Color) float64 {
	more, less := luminance(a), luminance(b)
	if more < less {
		more, less = less, more
	}
	return (more + 0.05) / (less + 0.05)
}

func luminance(c color.Color) float64 {
	linear := func(x uint32) float64 {
		if v := float64(x) / 0xffff; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return float64(x) / 0xffff / 12.92
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
