package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
)

// action is what a payer has to do.
type action struct {
	Type string `json:"type"`
	URL  string `json:"url"`
	Text string `json:"text"`
	Show []struct {
		ID    string `json:"id"`
		Type  string `json:"type"`
		Value string `json:"value"`
	} `json:"show"`
	Fields    []field `json:"fields"`
	ExpiresAt string  `json:"expires_at"`
}

// The values that the contract lists for members of an action.
var (
	actionTypes = []string{"redirect", "3ds", "wait"}
	actionTexts = []string{
		"", "scan_qr", "confirm_in_app", "transfer_details", "voucher_issued", "open_link", "enter_code", "code_wrong",
		"pay_elsewhere",
	}
	shownTypes = []string{"text", "copy", "amount", "qr", "barcode", "link", "deadline", "image"}
)

// The limits of an action.
const (
	maxRows  = 20
	maxValue = 8000 // characters
	maxURL   = 8 << 10
)

// check returns what is wrong with an action of a charge by a method. The service refuses an action that it can't show.
func (a action) check(method string) error {
	waits := a.Type == "wait"
	_, err := time.Parse(time.RFC3339, a.ExpiresAt)
	switch {
	case !slices.Contains(actionTypes, a.Type):
		return fmt.Errorf("expected an action of type redirect, 3ds or wait, got %q", a.Type)
	case waits && a.URL != "":
		return errors.New("expected no action.url of type wait")
	case !waits && !isPage(a.URL):
		return fmt.Errorf("expected the https or http address of a page in action.url, got %q", a.URL)
	case !slices.Contains(actionTexts, a.Text):
		return fmt.Errorf("expected a text of the contract in action.text, got %q", a.Text)
	case a.ExpiresAt != "" && err != nil:
		return fmt.Errorf("expected a time of RFC 3339 with a time zone in action.expires_at, got %q", a.ExpiresAt)
	case !waits && len(a.Fields) > 0:
		return fmt.Errorf("expected no action.fields of type %s", a.Type)
	case len(a.Show) > maxRows:
		return fmt.Errorf("expected at most %d rows in action.show, got %d", maxRows, len(a.Show))
	}
	for i, row := range a.Show {
		length := utf8.RuneCountInString(row.Value)
		if row.ID == "" || !slices.Contains(shownTypes, row.Type) || length == 0 || length > maxValue {
			return fmt.Errorf("expected id, a type of the contract and a value in action.show[%d], got %+v", i, row)
		}
	}
	return checkFields(a.Fields, method)
}

// isPage reports whether a text is the address of a website's page.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && len(text) <= maxURL && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" &&
		u.User == nil
}
