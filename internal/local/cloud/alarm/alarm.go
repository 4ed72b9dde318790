// Package alarm does what CloudWatch does with a stack's alarms: it reads metrics from log lines and reports whether an
// alarm goes off on them.
package alarm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/internal/local/cloud/template"
)

// Datum is one value of a metric.
type Datum struct {
	Namespace, Name string
	Dimensions      map[string]string
	At              time.Time
	Value           int
}

// Read reads the metrics in log lines, which have the embedded metric format. Lines without metrics are skipped; a line
// whose metrics CloudWatch would ignore is an error.
func Read(log string) ([]Datum, error) {
	var all []Datum
	var errs []error
	for _, text := range strings.Split(log, "\n") {
		if !strings.Contains(text, `"_aws"`) {
			continue
		}
		found, err := readLine(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%w: %s", err, text))
		}
		all = append(all, found...)
	}
	return all, errors.Join(errs...)
}

func readLine(text string) ([]Datum, error) {
	var line struct {
		AWS struct {
			Timestamp         int64 `json:"Timestamp"`
			CloudWatchMetrics []struct {
				Namespace  string     `json:"Namespace"`
				Dimensions [][]string `json:"Dimensions"`
				Metrics    []struct {
					Name string `json:"Name"`
					Unit string `json:"Unit"`
				} `json:"Metrics"`
			} `json:"CloudWatchMetrics"`
		} `json:"_aws"`
	}
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal([]byte(text), &line), json.Unmarshal([]byte(text), &members)); err != nil {
		return nil, err
	}
	var found []Datum
	for _, directive := range line.AWS.CloudWatchMetrics {
		for _, names := range directive.Dimensions {
			dimensions := map[string]string{}
			for _, name := range names {
				var value string
				if err := json.Unmarshal(members[name], &value); err != nil || value == "" {
					return nil, fmt.Errorf("the dimension %s has no text", name)
				}
				dimensions[name] = value
			}
			for _, m := range directive.Metrics {
				value, err := strconv.Atoi(string(members[m.Name]))
				if err != nil || !slices.Contains([]string{"Count", "Milliseconds", "Percent"}, m.Unit) {
					return nil, fmt.Errorf("the metric %s of %s has no number", m.Name, m.Unit)
				}
				at := time.UnixMilli(line.AWS.Timestamp)
				found = append(found, Datum{directive.Namespace, m.Name, dimensions, at, value})
			}
		}
	}
	return found, nil
}

// Fired reports whether an alarm goes off at any time between two.
func Fired(a template.Alarm, data []Datum, from, to time.Time) bool {
	data = slices.DeleteFunc(slices.Clone(data), func(d Datum) bool {
		its := func(m template.Metric) bool { return m.Is(d.Namespace, d.Name, d.Dimensions) }
		return !slices.ContainsFunc(a.Metrics, its)
	})
	first, last := from.Truncate(a.Period).Add(a.Period*time.Duration(a.Periods)), to.Add(a.Period)
	for end := first; !end.After(last); end = end.Add(a.Period) {
		beyond := 0
		for i := range a.Periods {
			if isBeyond(a, data, end.Add(-a.Period*time.Duration(i+1))) {
				beyond++
			}
		}
		if beyond >= a.Points {
			return true
		}
	}
	return false
}

// isBeyond reports whether the period that begins at start is beyond the alarm's threshold.
func isBeyond(a template.Alarm, data []Datum, start time.Time) bool {
	sum, known := sumAt(a, data, start)
	if !known {
		return a.Missing == "breaching"
	}
	if a.Band > 0 {
		return belowBand(a, data, start, sum)
	}
	switch a.Comparison {
	case "GreaterThanThreshold":
		return sum > a.Threshold
	case "GreaterThanOrEqualToThreshold":
		return sum >= a.Threshold
	case "LessThanThreshold":
		return sum < a.Threshold
	}
	return sum <= a.Threshold
}

// sumAt returns the sum of an alarm's metrics in the period that begins at start, and false if none has a value.
func sumAt(a template.Alarm, data []Datum, start time.Time) (sum int, known bool) {
	for _, m := range a.Metrics {
		value, ok := statistic(m, a.Period, data, start)
		sum, known = sum+value, known || ok
	}
	return sum, known
}

// belowBand reports whether a value is below what the day before lets expect: its mean less as many standard deviations
// as the band is wide. CloudWatch's own model also knows the hours of a day and the days of a week.
func belowBand(a template.Alarm, data []Datum, start time.Time, value int) bool {
	var day []int
	last := start.Add(-a.Period * time.Duration(a.Periods)) // what has begun to fall is not what is usual
	for before := start.Add(-24 * time.Hour); !before.After(last); before = before.Add(a.Period) {
		if known, ok := sumAt(a, data, before); ok {
			day = append(day, known)
		}
	}
	sum, squares := 0, 0
	for _, v := range day {
		sum, squares = sum+v, squares+v*v
	}
	n := len(day)
	below := sum - n*value // n times the distance of the mean
	return n >= 3 && below > 0 && below*below > a.Band*a.Band*(n*squares-sum*sum)
}

// statistic returns a metric's value in the period that begins at start, and false if there is none.
func statistic(m template.Metric, period time.Duration, data []Datum, start time.Time) (int, bool) {
	var values []int
	for _, d := range data {
		if m.Is(d.Namespace, d.Name, d.Dimensions) && !d.At.Before(start) && d.At.Before(start.Add(period)) {
			values = append(values, d.Value)
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	switch m.Statistic {
	case "Sum":
		sum := 0
		for _, value := range values {
			sum += value
		}
		return sum, true
	case "Average":
		sum := 0
		for _, value := range values {
			sum += value
		}
		return sum / len(values), true
	case "SampleCount":
		return len(values), true
	case "Maximum":
		return values[len(values)-1], true
	case "Minimum":
		return values[0], true
	}
	percent, _ := strconv.Atoi(m.Statistic[1:])
	return values[max((len(values)*percent+99)/100, 1)-1], true
}
