package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// output is how a command prints what the API returns: to people what they read, to programs JSON lines.
type output struct {
	c      *call
	fields string                            // of each line of JSON, by commas; all: every one
	show   func(value json.RawMessage) error // to people, in place of a table
}

// output adds the flag that asks for JSON.
func (c *call) output(cmd *cobra.Command) *output {
	o := &output{c: c}
	cmd.Flags().StringVar(&o.fields, "json", "", "JSON lines on a terminal, too: --json for all, --json=`FIELDS` for some")
	cmd.Flags().Lookup("json").NoOptDefVal = "all"
	return o
}

// people reports whether people read what is printed.
func (o *output) people() bool { return o.fields == "" && o.c.tables }

// line prints one JSON value as a line, with the fields that were asked for.
func (o *output) line(value json.RawMessage) error {
	var line bytes.Buffer
	if o.fields == "" || o.fields == "all" {
		if err := json.Compact(&line, value); err != nil {
			return err
		}
	} else {
		line.WriteByte('{')
		for i, field := range strings.Split(o.fields, ",") {
			if i > 0 {
				line.WriteByte(',')
			}
			field = strings.TrimSpace(field)
			found := member(value, field)
			if found == nil {
				found = json.RawMessage("null")
			}
			fmt.Fprintf(&line, "%q:", field)
			if err := json.Compact(&line, found); err != nil {
				return err
			}
		}
		line.WriteByte('}')
	}
	line.WriteByte('\n')
	_, err := o.c.out.Write(line.Bytes())
	return err
}

// lineOf is line for a value that is not JSON yet.
func (o *output) lineOf(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return o.line(text)
}

// all prints values: as lines, or as a table with some of their members as columns.
func (o *output) all(values []json.RawMessage, columns ...string) error {
	show := o.show
	if !o.people() {
		show = o.line
	}
	if show != nil {
		for _, value := range values {
			if err := show(value); err != nil {
				return err
			}
		}
		return nil
	}
	return table(o.c.out, values, columns...)
}

// table prints values with some of their members as columns.
func table(out io.Writer, values []json.RawMessage, columns ...string) error {
	if len(values) == 0 {
		return nil
	}
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, strings.Join(columns, "\t"))
	for _, value := range values {
		for i, column := range columns {
			if i > 0 {
				fmt.Fprint(rows, "\t")
			}
			fmt.Fprint(rows, cell(value, column))
		}
		fmt.Fprintln(rows)
	}
	return rows.Flush()
}

// cell is a member of a row for people. A row of one mode has it as mode, or as test.
func cell(row json.RawMessage, column string) string {
	found := member(row, column)
	if found == nil && column == "mode" {
		return mode(string(member(row, "test")) != "true")
	}
	return text(found)
}

// member returns a member of a JSON object by its path, such as row.id; nil if it has none.
func member(value json.RawMessage, path string) json.RawMessage {
	for name := range strings.SplitSeq(path, ".") {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			return nil
		}
		value = members[name]
	}
	return value
}

// text is a JSON value for people.
func text(value json.RawMessage) string {
	var one string
	var several []json.RawMessage
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case json.Unmarshal(value, &one) == nil:
		return shown(one)
	case json.Unmarshal(value, &several) == nil:
		words := make([]string, len(several))
		for i, each := range several {
			words[i] = text(each)
		}
		return strings.Join(words, ", ")
	}
	return printable(string(value))
}

// shown is a text for people: of a time the seconds are enough.
func shown(text string) string {
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at.UTC().Format(time.RFC3339)
	}
	return printable(text)
}
