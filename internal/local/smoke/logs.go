package smoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// readLogs reads what the functions have written. Each of those that were called has to have written something, so that
// a log that can't be read is not taken for one without faults. An internal error has to have a reason.
func (r *run) readLogs(ctx context.Context) (string, error) {
	if r.Logs == nil {
		return "", fmt.Errorf("%w: no logs", errSkipped)
	}
	var lines map[string][]string
	var faults []string
	silent := r.until(ctx, func() (bool, string, error) {
		var err error
		if lines, err = r.Logs.Read(ctx, r.began); err != nil {
			return false, "", err
		}
		faults = faultsOf(lines)
		called := slices.Compact(slices.Sorted(slices.Values(r.called)))
		missing := slices.DeleteFunc(called, func(name string) bool { return len(lines[name]) > 0 })
		if len(missing) > 0 {
			return false, "without a line of " + strings.Join(missing, ", "), nil
		}
		return !r.broken || len(faults) > 0, "without a line about the internal error", nil
	})
	if silent != nil {
		faults = append(faults, plain(silent))
	}
	if len(faults) > 0 {
		return "", errors.New(strings.Join(faults, "; "))
	}
	return fmt.Sprintf("%d functions have written, none of a fault", len(lines)), nil
}

// faultsOf returns the different faults of all functions' lines, each after the function's name.
func faultsOf(lines map[string][]string) (faults []string) {
	for _, function := range slices.Sorted(maps.Keys(lines)) {
		for _, line := range lines[function] {
			fault := faultOf(line)
			if named := function + ": " + fault; fault != "" && !slices.Contains(faults, named) {
				faults = append(faults, named)
			}
		}
	}
	return faults
}

// refused finds what an AWS policy lacks.
var refused = regexp.MustCompile(`not authorized to perform: (\S+)(?: on resource: ([^\s"\\]+))?`)

// crashed finds lines that are no line of the service: of a panic, and of Lambda about a function that ended.
var crashed = regexp.MustCompile(`^(panic:|fatal error:|runtime:|signal:)|"errorMessage"|"errorType"`)

// maxFault is how much of a line is shown.
const maxFault = 300

// faultOf returns what is wrong according to a line of a function's log, in a few words, "" for nothing: a permission
// that is missing, an error, a panic, or a call that Lambda has ended.
func faultOf(line string) string {
	if found := refused.FindStringSubmatch(line); found != nil {
		return strings.TrimSpace("AccessDenied: it lacks " + found[1] + " " + found[2])
	}
	if strings.Contains(line, "AccessDenied") || crashed.MatchString(line) {
		return shortened(line)
	}
	var entry struct {
		Level, Msg, Route, Error, Type string
		Record                         struct{ Status string }
	}
	if json.Unmarshal([]byte(line), &entry) != nil {
		return ""
	}
	switch {
	case entry.Level == "ERROR":
		return shortened(strings.Join(strings.Fields(entry.Msg+" "+entry.Route+" "+entry.Error), " "))
	case strings.HasPrefix(entry.Type, "platform.") && entry.Record.Status != "" && entry.Record.Status != "success":
		return entry.Type + " of Lambda: " + entry.Record.Status
	}
	return ""
}

func shortened(text string) string { return fmt.Sprintf("%.*s", maxFault, strings.TrimSpace(text)) }
