package local

import (
	"fmt"
	"io"
	"strconv"
)

// Output is where a run writes: the welcome to Out, logs and the reason of a failure to Log.
type Output struct {
	Out, Log io.Writer
}

// defaultPort is where a run listens unless PORT says otherwise.
const defaultPort = 3000

// Port is the port of the service that the environment names, 0 for any free one.
func Port(getenv func(string) string) (int, error) { return portOf(getenv, "PORT", defaultPort) }

// SimulatorPort is the port of the simulated providers beside the service that the environment names. Default: 0, any
// free one.
func SimulatorPort(getenv func(string) string) (int, error) { return portOf(getenv, simulatorPort, 0) }

// WalletPort is the port of the frame of Google Pay that the environment names. Default: 0, any free one.
func WalletPort(getenv func(string) string) (int, error) { return portOf(getenv, walletPort, 0) }

// AdminPort is the port of the admin page's first link that the environment names: the next links have the ports after
// it. Default: 0, any free ones.
func AdminPort(getenv func(string) string) (int, error) { return portOf(getenv, "ADMIN_PORT", 0) }

const (
	simulatorPort = "SIMULATOR_PORT"
	walletPort    = "WALLET_PORT"
)

func portOf(getenv func(string) string, variable string, otherwise int) (int, error) {
	text := getenv(variable)
	if text == "" {
		return otherwise, nil
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%s is %q: not a number from 0 to 65535", variable, text)
	}
	return int(port), nil
}
