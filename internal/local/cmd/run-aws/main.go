// Command run-aws runs the service as AWS would, on one port and without AWS: the real Lambda binaries, DynamoDB Local and ElasticMQ, put
// together as template.yaml says.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"checkout/internal/local/cloud"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "run-aws:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	standard := 3000
	if text := os.Getenv("PORT"); text != "" {
		port, err := strconv.Atoi(text)
		if err != nil || port < 0 || port > 65535 {
			return fmt.Errorf("PORT %q is not a port", text)
		}
		standard = port
	}
	port := flag.Int("port", standard, "port of the service, 0 for any free one")
	root := flag.String("root", ".", "folder with template.yaml, bin/lambda and infra/page/dist")
	flag.Parse()
	c, err := cloud.Start(ctx, cloud.Config{
		Root: *root, Port: *port, Log: os.Stderr,
		Environment: map[string]string{"ALLOW_LOOPBACK_CALLBACKS": "true"},
		AfterStart:  prepare,
	})
	if ctx.Err() != nil && err != nil {
		return nil // interrupted while starting
	}
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Println("ready on", c.BaseURL())
	<-ctx.Done()
	return nil
}

// prepare fills the running service with what a visitor needs to try it.
func prepare(*cloud.Cloud) error { return nil }
