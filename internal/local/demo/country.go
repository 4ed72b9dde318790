package demo

// country is where the buyer lives, with an amount in its money.
type country struct {
	Amount, Currency string
	Address          address
}

// address is a billing address of a session request.
type address struct {
	Country string `json:"country"`
	State   string `json:"state,omitempty"`
	City    string `json:"city"`
	Address string `json:"address"`
	Zip     string `json:"zip"`
	Phone   string `json:"phone"`
}

// anywhere is the country of methods that have none of their own.
var anywhere = country{product.Price, product.Currency,
	address{"US", "CA", "Los Angeles", "1 Sample Street", "90001", "+1-555-0100"}}

// countries are those that methods are limited to. The addresses are made up.
var countries = map[string]country{
	"BJ": {"12000.00", "XOF", address{"BJ", "", "Cotonou", "Rue 12", "01", "+2290197000000"}},
	"BR": {"99.00", "BRL", address{"BR", "", "Brasilia", "Rua Exemplo 1", "70000-000", "+55-61-5550100"}},
	"CL": {"16900.00", "CLP", address{"CL", "", "Santiago", "Calle Ejemplo 1", "8320000", "+56-2-5550100"}},
	"CO": {"74000.00", "COP", address{"CO", "", "Bogota", "Calle Ejemplo 1", "110111", "+57-1-5550100"}},
	"MX": {"349.00", "MXN", address{"MX", "", "Puebla", "Calle Ejemplo 1", "72000", "+52-222-5550100"}},
	"PE": {"69.00", "PEN", address{"PE", "", "Lima", "Calle Ejemplo 1", "15001", "+51-1-5550100"}},
	"TG": {"12000.00", "XOF", address{"TG", "", "Lome", "Rue 12", "01", "+22890112345"}},
}

// home returns the country of a buyer who uses the method.
func (m method) home() country {
	for _, code := range m.Countries {
		if home, known := countries[code]; known {
			return home
		}
	}
	return anywhere
}
