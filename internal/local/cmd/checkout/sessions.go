package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"
)

// sessionColumns are what is shown of a person who is signed in.
var sessionColumns = []string{"id", "who", "email", "via", "started_at", "used_at"}

func sessionCommands(c *call) *cobra.Command {
	return group("sessions", "see and end the sessions of people who have signed in",
		c.plainListCommand(leaf{use: "list", does: "list who is signed in", example: "sessions list"},
			list{"/sessions", "sessions", false, sessionColumns}),
		c.endSessionCommand())
}

func (c *call) endSessionCommand() *cobra.Command {
	var ch *change
	cmd := c.command(leaf{
		use: "end ID", does: "sign a person out, at once", example: `sessions end --reason "has left" ID`,
		args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			var now struct {
				Sessions []json.RawMessage `json:"sessions"`
			}
			err := c.ask(ctx, ch, "/sessions/end", settingOf{
				asked: "End the session " + printable(args[0]), body: map[string]any{"id": args[0]}, to: &now,
			})
			if err != nil {
				return err
			}
			return (&output{c: c}).all(now.Sessions, sessionColumns...)
		},
	})
	ch = c.changes(cmd)
	return cmd
}
