package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// change is what every changing call of the API takes.
type change struct {
	live, yes   bool
	reason, key string
	remove      []string // the names of mappings and MIDs that may go
}

// changes adds the flags of a changing call. The key of a repeat is the one that was printed before.
func (c *call) changes(cmd *cobra.Command) *change {
	ch := &change{}
	c.address(cmd)
	cmd.Flags().StringVar(&ch.reason, "reason", "", "why, at most 120 characters")
	cmd.Flags().StringVar(&ch.key, "idempotency-key", "", "`KEY` of a call to repeat")
	yes(cmd, &ch.yes)
	if err := cmd.MarkFlagRequired("reason"); err != nil {
		panic(err) // the flag is not there
	}
	return ch
}

// live adds the flag without which a command is about test payments.
func live(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "live", false, "live payments; without it those of test keys")
}

func yes(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "yes", false, "do it without asking back")
}

// mode is the word for live or test.
func mode(live bool) string {
	if live {
		return "live"
	}
	return "test"
}

// begin makes the key of a call that is no repeat.
func (ch *change) begin() (repeats bool) {
	if ch.key != "" {
		return true
	}
	ch.key = rand.Text()
	return false
}

// errNo says that a person did not agree.
var errNo = errors.New("nothing was done")

// confirm asks a person whether to do what was shown. Where nobody can be asked, yes has to be said.
func (c *call) confirm(yes bool, format string, args ...any) error {
	if yes {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	if !c.asks {
		return misusef("%s: say --yes", what)
	}
	if !c.agrees(what + c.where()) {
		return errNo
	}
	return nil
}

// agrees asks a person, and reports whether the reply is yes.
func (c *call) agrees(what string) bool {
	fmt.Fprintf(c.notes, "%s? [y/N] ", what)
	line, err := bufio.NewReader(c.in).ReadString('\n')
	reply := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (reply == "y" || reply == "yes")
}

// where names the stack that use has read, unless something else may be meant.
func (c *call) where() string {
	for _, variable := range []string{"CHECKOUT_URL", "TABLE"} {
		if _, given := c.given[variable]; given || c.getenv(variable) != "" || c.file.Stack == "" {
			return ""
		}
	}
	return " on the stack " + c.file.Stack
}
