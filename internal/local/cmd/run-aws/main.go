// Command run-aws runs the service as AWS would, without AWS: the real Lambda binaries, DynamoDB Local and ElasticMQ,
// connected as template.yaml says.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"checkout/internal/app"
	"checkout/internal/local"
	"checkout/internal/local/cloud"
	"checkout/internal/local/demo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	standard, err := local.Port(os.Getenv)
	if err != nil {
		return err
	}
	walletPort, err := local.WalletPort(os.Getenv)
	if err != nil {
		return err
	}
	port := flag.Int("port", standard, "port of the service, 0 for any free one")
	root := flag.String("root", ".", "folder with template.yaml, bin/lambda and the built infra/page")
	environment := flag.String("environment", "", "file for sam local invoke --env-vars (default ROOT/bin/env.json)")
	flag.Parse()
	file := cmp.Or(*environment, filepath.Join(*root, "bin", "env.json"))
	pages := filepath.Join(*root, "infra", "page")
	if err := local.CheckPages(filepath.Join(pages, "dist"), filepath.Join(pages, "dist-wallet")); err != nil {
		return err
	}
	providers, err := startSimulator(ctx)
	if err != nil {
		return err
	}
	defer providers.Stop()
	var shop demo.Config
	c, err := cloud.Start(ctx, cloud.Config{
		Root: *root, Port: *port, WalletPort: walletPort, Endpoint: os.Getenv("ENDPOINT_HOST"),
		Log:         local.LogTo(os.Getenv, os.Stderr),
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true", "LOCAL_RUN": "true"},
		People:      map[string]cloud.Person{supportKey: {ARN: people[1].Who, Secret: cloud.AdminSecret}},
		AfterStart: func(c *cloud.Cloud) (err error) {
			if shop, err = openShop(ctx, c, *root, local.Addresses{Simulator: providers.URL}); err != nil {
				return err
			}
			if err := c.Fire(ctx, "sweep"); err != nil { // it makes the keys of the day
				return err
			}
			if err := giveRoles(ctx, c); err != nil {
				return err
			}
			return writeEnvironment(c, file)
		},
	})
	if ctx.Err() != nil && err != nil {
		return nil // interrupted while starting
	}
	if err != nil {
		return err
	}
	defer c.Close()
	links, err := adminLinks(ctx, c, filepath.Join(pages, "dist-admin"))
	if err != nil {
		return err
	}
	command := filepath.Join(filepath.Dir(file), "checkout.json")
	if err := writeCommand(c, providers.URL, command); err != nil {
		return err
	}
	fmt.Printf("ready on %s\n%s%s%s\nFor sam local invoke: --env-vars %s\n\nFor the operator's command:\n\n"+
		"bin/checkout use %s\n", c.BaseURL(), shop.Welcome(), links, shop.Shell(), file, command)
	<-ctx.Done()
	return nil
}

// startSimulator starts the providers of the merchants' live keys.
func startSimulator(ctx context.Context) (*local.Simulator, error) {
	port, err := local.SimulatorPort(os.Getenv)
	if err != nil {
		return nil, err
	}
	return local.StartSimulator(ctx, port, "SIMULATOR_PORT", time.Now)
}

// openShop stores the merchants of a file and serves the demo shop of the first one beside the site.
func openShop(ctx context.Context, c *cloud.Cloud, root string, at local.Addresses) (demo.Config, error) {
	operator, err := app.OpenMerchants(ctx, c.AdminEnv("Table", "SecretsKey"))
	if err != nil {
		return demo.Config{}, err
	}
	at.Base, at.Wallet = c.BaseURL(), c.WalletURL()
	merchants := cmp.Or(os.Getenv("MERCHANTS"), filepath.Join(root, "infra", "merchants.json"))
	known, err := local.LoadShop(ctx, operator, merchants, at)
	if err != nil {
		return demo.Config{}, err
	}
	known.Infra = filepath.Join(root, "infra")
	known.Now, known.Random = time.Now, random
	shop, err := demo.New(known)
	if err != nil {
		return demo.Config{}, err
	}
	c.Handle("/demo", shop)
	return known, nil
}

// random returns n random bytes. crypto/rand never fails.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}
