package local

import (
	"context"
	"fmt"
	"strings"
)

// Run is `make run`: it runs the service until ctx ends and returns the exit code. Of the environment it reads PORT,
// where 0 is any free port, WALLET_PORT (see WalletPort), SIGN_IN_PORT (see SignInPort), SIMULATOR_PORT (see
// SimulatorPort), MERCHANTS, a file instead of infra/merchants.json, and LOG (see LogTo).
func Run(ctx context.Context, getenv func(string) string, config Config, out Output) int {
	fail := func(err error) int {
		fmt.Fprintln(out.Log, err)
		return 1
	}
	port, err := Port(getenv)
	if err != nil {
		return fail(err)
	}
	if config.SimulatorPort, err = SimulatorPort(getenv); err != nil {
		return fail(err)
	}
	if config.WalletPort, err = WalletPort(getenv); err != nil {
		return fail(err)
	}
	signInPort, err := SignInPort(getenv)
	if err != nil {
		return fail(err)
	}
	config.Port, config.Log = port, LogTo(getenv, out.Log)
	config.Merchants = orElse(getenv("MERCHANTS"), config.Merchants)
	server, err := Start(ctx, config)
	if err != nil {
		return fail(err)
	}
	notices, err := server.notices(ctx)
	if err != nil {
		server.Stop()
		return fail(err)
	}
	links, err := AdminLinks(out.Out, People, server.StartAdmin)
	if err != nil {
		server.Stop()
		return fail(err)
	}
	signIn, err := server.StartSignIn(ctx, signInPort)
	if err != nil {
		server.Stop()
		return fail(err)
	}
	file, err := server.ServeCommand(ctx)
	if err != nil {
		server.Stop()
		return fail(err)
	}
	fmt.Fprintf(out.Out, "ready on %s\n%s%s\nThe admin page for people who sign in:\n\n  %s\n%s\n"+
		"The operator's command (make checkout), for merchants:\n\n"+
		"  CHECKOUT_CONFIG=%s bin/checkout merchants list\n",
		server.URL, server.Demo.Welcome(), links, signIn.URL, notices, file)
	<-ctx.Done()
	server.Stop()
	return 0
}

// notices is a line for each MID whose provider, or adapter, may send notices, with the address that it sends them to.
func (s *Server) notices(ctx context.Context) (string, error) {
	merchants, err := s.App.Merchants.List(ctx)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, m := range merchants {
		found, err := s.App.Merchants.Read(ctx, m.ID)
		if err != nil {
			return "", err
		}
		for _, notice := range found.Notices {
			fmt.Fprintf(&lines, "  %s, %s, %s  %s%s\n", m.ID, notice.Mapping, notice.MID, s.URL, notice.Path)
		}
	}
	if lines.Len() == 0 {
		return "", nil
	}
	return "\nWhere providers send notices, by merchant, mapping and MID:\n\n" + lines.String(), nil
}
