package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"checkout/internal/app"
)

// published is what the API says of settings that are stored.
type published struct {
	Merchant string              `json:"merchant"`
	Version  int64               `json:"version"`
	Changes  []app.SettingChange `json:"changes"`
	Made     *newKeys            `json:"made,omitempty"`
}

// newKeys are the keys and secrets that a call has made. Nobody can read them later.
type newKeys struct {
	Merchant       string `json:"merchant,omitempty"`
	LiveKey        string `json:"live_key,omitempty"`
	TestKey        string `json:"test_key,omitempty"`
	Password       string `json:"password,omitempty"`
	CallbackSecret string `json:"callback_secret,omitempty"`
	Repeated       bool   `json:"repeated,omitempty"` // the call was made before: they are not told again
}

// showChanges writes what changes of a merchant, for people.
func showChanges(to io.Writer, id string, changes []app.SettingChange) {
	if len(changes) == 0 {
		fmt.Fprintf(to, "%s: nothing changes\n", printable(id))
	}
	for _, change := range changes {
		fmt.Fprintf(to, "%s: %s\n", printable(id), printable(change.String()))
	}
}

// printKeys prints keys and secrets that were made, for people.
func (c *call) printKeys(made newKeys) error {
	if made.Repeated {
		_, err := fmt.Fprintln(c.out,
			"The call was made before, and its secrets are not shown again: merchants rotate makes others.")
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"live key", made.LiveKey}, {"test key", made.TestKey}, {"password", made.Password},
		{"callback secret", made.CallbackSecret},
	} {
		if row[1] != "" {
			fmt.Fprintf(rows, "%s\t%s\n", row[0], printable(row[1]))
		}
	}
	if err := rows.Flush(); err != nil || made.Password+made.CallbackSecret == "" {
		return err
	}
	_, err := fmt.Fprintln(c.out, "Password and callback secret are not shown again.")
	return err
}
