package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"checkout/internal/app"
)

// edited is what the API says of a change of settings, whether it is stored or only checked. Programs get it so.
type edited struct {
	Merchant string              `json:"merchant"`
	Version  int64               `json:"version"` // that is stored; 0: none
	Changes  []app.SettingChange `json:"changes"`
	Removed  []removal           `json:"removed,omitempty"`

	Restorable []restorable       `json:"restorable,omitempty"`
	Faults     []app.SettingFault `json:"faults,omitempty"`
	Preview    json.RawMessage    `json:"preview,omitempty"`
	Made       *newKeys           `json:"made,omitempty"`
}

// restorable is a MID that a restored version brings back with its secrets.
type restorable struct {
	Place string    `json:"place"`
	Until time.Time `json:"until"`
}

func (r restorable) String() string {
	return fmt.Sprintf("%s comes back with its secrets, if it is restored before %s", r.Place,
		r.Until.UTC().Format(time.RFC3339))
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

// show writes what changes, and what would follow from it if that is known, for people.
func (e edited) show(to io.Writer) {
	id := printable(e.Merchant)
	if len(e.Changes) == 0 {
		fmt.Fprintf(to, "%s: nothing changes\n", id)
	}
	for _, change := range e.Changes {
		fmt.Fprintf(to, "%s: %s\n", id, printable(change.String()))
	}
	if e.Preview == nil {
		return
	}
	of := func(path string) string { return text(member(e.Preview, path)) }
	fmt.Fprintf(to, "%s: of %s sessions since %s, %s would have other methods, %s another first MID, %s no method any "+
		"more, and %s that had none would have some\n", id, of("sessions"), of("from"), of("other_methods.count"),
		of("other_first_mid.count"), of("none.count"), of("gained.count"))
	var warnings []json.RawMessage
	_ = json.Unmarshal(member(e.Preview, "warnings"), &warnings) // none, if it has another form
	for _, w := range warnings {
		fmt.Fprintf(to, "%s: %s: %s\n", id, text(member(w, "path")), text(member(w, "text")))
	}
}

// print prints the keys and secrets, for people.
func (made newKeys) print(to io.Writer) error {
	if made.Repeated {
		_, err := fmt.Fprintln(to, "The call was made before, and its secrets are not shown again: "+
			"merchants rotate makes others.")
		return err
	}
	rows := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"live key", made.LiveKey}, {"test key", made.TestKey}, {"password", made.Password},
		{"callback secret", made.CallbackSecret},
	} {
		if row[1] != "" {
			fmt.Fprintf(rows, "%s\t%s\n", row[0], printable(row[1]))
		}
	}
	if made.Password+made.CallbackSecret != "" {
		fmt.Fprintln(rows, "Password and callback secret are not shown again.")
	}
	return rows.Flush()
}
