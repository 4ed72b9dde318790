package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
	"checkout/internal/local/smoke"
)

func smokeCommand(c *call) *cobra.Command {
	var given smoke.Stack
	log := ""
	cmd := c.command(leaf{
		use:     "smoke [STACK]",
		does:    "show whether a stack works, and what does not: pays with a test key, and reads its logs",
		example: "smoke checkout --region eu-central-1", args: cobra.MaximumNArgs(1), chooses: true,
		run: func(ctx context.Context, args []string) error {
			stack, err := c.smokeStack(ctx, args, log)
			if err != nil {
				return err
			}
			if stack.Act, err = app.CompleteAct(ctx, app.Act{Command: "smoke"}); err != nil {
				return err
			}
			stack.CallbackURL, stack.Patience = given.CallbackURL, given.Patience
			return smoke.Run(ctx, stack, c.out)
		},
	})
	regionFlag(cmd)
	cmd.Flags().StringVar(&given.CallbackURL, "callback-url", "", "`URL` of yours for callbacks (else the stack itself)")
	cmd.Flags().DurationVar(&given.Patience, "patience", 90*time.Second, "how long to wait for each outcome")
	cmd.Flags().StringVar(&log, "log", "", "the functions' lines of a local run, `FILE` of LOG=json make run-aws 2>FILE")
	return cmd
}

// smokeStack returns the stack of a name, or else the one that is used, which may be a local run.
func (c *call) smokeStack(ctx context.Context, args []string, log string) (smoke.Stack, error) {
	if len(args) == 1 {
		return smoke.OfStack(ctx, args[0])
	}
	if err := c.inRegion(); err != nil {
		return smoke.Stack{}, err
	}
	if !c.isLocalRun() {
		if c.file.Stack == "" {
			return smoke.Stack{}, misusef("no stack is used: name one")
		}
		return smoke.OfStack(ctx, c.file.Stack)
	}
	env, err := c.tableEnv("SECRETS_KEY_ID")
	if err != nil {
		return smoke.Stack{}, err
	}
	stack := smoke.Stack{URL: c.env("BASE_URL"), Env: env}
	if log != "" {
		file, err := os.Stat(log)
		if err != nil {
			return smoke.Stack{}, err
		}
		stack.Logs = smoke.FileLogs{File: log, From: file.Size()}
	}
	return stack, nil
}
