package words

import (
	"regexp"
	"strings"

	"checkout/internal/checkout/payment"
)

// troubles are texts of programs about requests that have failed, and the sentences for people; the first row that fits
// counts. %s is who was to respond.
var troubles = []struct {
	said  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`(?i)deadline exceeded|timeout|timed out|no answer|within the time`),
		"%s did not answer in time."},
	{regexp.MustCompile(`(?i)dial tcp|no such host|connection refused|unreachable|tls: |x509|certificate`),
		"%s could not be reached."},
	{regexp.MustCompile(`(?i)\bEOF\b|connection reset|broken pipe|closed network|server closed`),
		"The connection to %s broke off before it answered."},
	{regexp.MustCompile(`(?i)status 429|too many requests`), "%s was too busy and refused the request."},
	{regexp.MustCompile(`(?i)status 5\d\d|has a problem`), "%s had a problem of its own."},
	{regexp.MustCompile(`(?i)can't be read|invalid character|unexpected`), "%s gave an answer that can't be read."},
}

// troubleWords says for people what a program said of a request that failed. who was to respond, such as the
// provider. said is the program's text if the sentence is another one, for those who look after the service.
func troubleWords(who, text string) (words, said string) {
	for _, t := range troubles {
		if t.said.MatchString(text) {
			words = strings.ReplaceAll(t.words, "%s", who)
			return strings.ToUpper(words[:1]) + words[1:], text
		}
	}
	return "", ""
}

// otherAmount is what a provider took, and what was asked for, as connector.OtherAmountError says it.
var otherAmount = regexp.MustCompile(`^([0-9.]+(?: [A-Z]+)?) of ([0-9.]+ [A-Z]+)$`)

// tookAnother reports whether a provider says that it took another amount than was asked for.
func tookAnother(finding string) bool {
	return otherAmount.MatchString(strings.TrimPrefix(finding, "the provider says: "))
}

// findings are what is stored of a provider's response, and the sentence for people.
var findings = map[string]string{
	"not decided yet":               "The provider has not decided yet.",
	"the payer still has to act":    "The payer still has to act.",
	"it never received the request": "The provider has never received the request.",
	"charged back or reversed":      "The provider says that it was charged back or reversed.",
}

// noOutcome begins what is stored of a response that tells no outcome.
const noOutcome = "no response that tells an outcome: "

// findingWords says for people what a provider has said of a request. said is what stands in its place for those who
// look after the service, "" if that says no more.
func findingWords(p *payment.Payment, text string) (words, said string) {
	text = strings.TrimPrefix(text, "the provider says: ")
	if known := findings[text]; known != "" {
		return known, ""
	}
	if parts := otherAmount.FindStringSubmatch(text); parts != nil {
		took := parts[1]
		if !strings.Contains(took, " ") {
			took += " " + p.Order.Currency
		}
		return "The provider says that it has taken " + took + ", and " + parts[2] + " was asked for. Ask the provider: " +
			"the request is settled with the amount that was taken, or as declined if that amount was returned.", ""
	}
	if rest, failed := strings.CutPrefix(text, noOutcome); failed {
		if words, said = troubleWords("the provider", rest); words != "" {
			return words, said
		}
		return "The provider gave no answer that tells the outcome.", rest
	}
	if words, said = troubleWords("the provider", text); words != "" {
		return words, said
	}
	if rest, early := strings.CutPrefix(text, "it has not found it yet; that proves"); early {
		return Sentence("The provider has not found it yet, which proves" + rest), ""
	}
	if rest, yes := strings.CutPrefix(text, "approved"); yes && !strings.Contains(rest, ",") {
		if rest != "" && !strings.HasPrefix(rest, ".") {
			rest = ":" + rest + " " + p.Order.Currency
		}
		return Sentence("The provider has approved it" + rest), ""
	}
	if rest, no := strings.CutPrefix(text, "declined: "); no {
		return Sentence("The provider has declined it: " + rest), ""
	}
	if text == "" {
		return "", ""
	}
	return Sentence("The provider says: " + text), ""
}

// findingText says for people what the provider has said of a job at last, "" if it has said nothing.
func findingText(p *payment.Payment, job *payment.Job) string {
	if job.Finding == nil {
		return ""
	}
	words, _ := findingWords(p, job.Finding.Text)
	return words
}
