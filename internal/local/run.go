package local

import (
	"context"
	"fmt"
)

// Run is `make run`: it runs the service until ctx ends and returns the exit code. Of the environment it reads PORT,
// where 0 is any free port, WALLET_PORT (see WalletPort), ADMIN_PORT (see AdminPort), SIGN_IN_PORT (see SignInPort),
// SIMULATOR_PORT (see SimulatorPort), MERCHANTS, a file instead of infra/merchants.json, and LOG (see LogTo).
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
	adminPort, err := AdminPort(getenv)
	if err != nil {
		return fail(err)
	}
	config.Port, config.Log = port, LogTo(getenv, out.Log)
	config.Merchants = orElse(getenv("MERCHANTS"), config.Merchants)
	server, err := Start(ctx, config)
	if err != nil {
		return fail(err)
	}
	links, err := AdminLinks(out.Out, People, adminPort, server.StartAdmin)
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
	fmt.Fprintf(out.Out, "ready on %s\n%s%s  admin page  %s  for people who sign in\n\n"+
		"The operator's command, after make checkout:\n\nCHECKOUT_CONFIG=%s bin/checkout merchants list\n%s",
		server.URL, server.Demo.Welcome(), links, signIn.URL, file, server.Demo.Shell())
	<-ctx.Done()
	server.Stop()
	return 0
}
