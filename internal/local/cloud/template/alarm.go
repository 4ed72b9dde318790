package template

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Alarm is one CloudWatch alarm.
type Alarm struct {
	ID         string
	Metrics    []Metric // their sum, where there are several
	Period     time.Duration
	Periods    int // that are looked at
	Points     int // of these that have to be beyond the threshold
	Threshold  int
	Band       int    // standard deviations below what is usual, in place of a threshold; 0: there is a threshold
	Comparison string // ComparisonOperator
	Missing    string // TreatMissingData
	Actions    []string
	OKActions  []string
}

// Metric is what CloudWatch measures for an alarm.
type Metric struct {
	Namespace, Name string
	Dimensions      map[string]string
	Statistic       string // Sum, Maximum, p99 and the like
}

// sumOfAll is the one expression that is understood beside a band.
const sumOfAll = "SUM(FILL(METRICS(), 0))"

// band is the expression for what is usual of the metric with the id rate.
var band = regexp.MustCompile(`^ANOMALY_DETECTION_BAND\(rate, ([1-9])\)$`)

// mostMetrics is how many metrics CloudWatch takes in the expression of an alarm.
const mostMetrics = 10

func (r *reader) readAlarms(t *Template) {
	for _, x := range r.of("AWS::CloudWatch::Alarm") {
		p := r.props(x)
		a := Alarm{
			ID: x.id, Periods: p.get("EvaluationPeriods").number(0), Threshold: p.get("Threshold").number(0),
			Comparison: p.get("ComparisonOperator").need(), Missing: p.get("TreatMissingData").need(),
			Actions: p.get("AlarmActions").texts(), OKActions: p.get("OKActions").texts(),
		}
		a.Points = p.get("DatapointsToAlarm").number(a.Periods)
		if metrics := p.get("Metrics"); metrics.present() {
			r.readMetrics(&a, metrics)
		} else {
			a.Period = p.get("Period").seconds(0)
			a.Metrics = []Metric{r.metric(p, p.get("Statistic").text()+p.get("ExtendedStatistic").text())}
		}
		if a.Period == 0 || a.Periods < 1 || a.Points > a.Periods {
			r.fail(p.place, "%d of %d periods of %s", a.Points, a.Periods, a.Period)
		}
		t.Alarms = append(t.Alarms, a)
	}
}

// readMetrics reads a list of metrics and the expression that adds them.
func (r *reader) readMetrics(a *Alarm, metrics value) {
	for _, m := range metrics.list() {
		e := m.get("Expression")
		if found := band.FindStringSubmatch(e.text()); found != nil {
			a.Band = int(found[1][0] - '0')
			continue
		}
		if e.present() {
			if e.text() != sumOfAll || !m.get("ReturnData").yes(true) {
				r.fail(e.place, "only %s is understood", sumOfAll)
			}
			continue
		}
		stat := m.get("MetricStat")
		a.Period = stat.get("Period").seconds(0)
		a.Metrics = append(a.Metrics, r.metric(stat.get("Metric"), stat.get("Stat").need()))
	}
	if len(a.Metrics) > mostMetrics {
		r.fail(metrics.place, "%d metrics, CloudWatch takes %d in an alarm", len(a.Metrics), mostMetrics)
	}
}

func (r *reader) metric(p value, statistic string) Metric {
	m := Metric{Namespace: p.get("Namespace").need(), Name: p.get("MetricName").need(), Dimensions: map[string]string{},
		Statistic: statistic}
	for _, d := range p.get("Dimensions").list() {
		m.Dimensions[d.get("Name").need()] = d.get("Value").need()
	}
	known := []string{"Sum", "Average", "Maximum", "Minimum", "SampleCount"}
	if !slices.Contains(known, statistic) && !strings.HasPrefix(statistic, "p") {
		r.fail(p.place, "the statistic %q is not understood", statistic)
	}
	return m
}

// Is reports whether the metric has exactly this name and these dimensions.
func (m Metric) Is(namespace, name string, dimensions map[string]string) bool {
	return m.Namespace == namespace && m.Name == name && maps.Equal(m.Dimensions, dimensions)
}
