package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"checkout/internal/metric"
	"checkout/internal/store"
)

// Check fetches both sites and measures what differs from their release: page_changed is how many files and tags,
// headers_changed how many headers. Each difference has a line in the log. It measures nothing if no release is
// recorded, and returns an error if nothing differs and something could not be fetched.
func (g Guard) Check(ctx context.Context) error {
	releases, err := g.releases(ctx)
	if err != nil {
		return err
	}
	if len(releases) == 0 {
		g.Log.WarnContext(ctx, "no release of the page is recorded: make page-deploy")
		return nil
	}
	found, err := g.compare(ctx, releases)
	if len(found) > 0 { // with one that was recorded meanwhile, if there is one
		latest, failed := g.releases(ctx)
		if failed == nil && len(latest) > 0 && !latest[0].at.Equal(releases[0].at) {
			releases = latest
			found, err = g.compare(ctx, releases)
		}
	}
	if err != nil && len(found) == 0 {
		return err
	}
	if err != nil { // what was found counts all the same
		g.Log.ErrorContext(ctx, "not all of the page could be fetched", "error", err)
	}
	g.report(ctx, found, releases[0].Version)
	return nil
}

// compare returns what differs on both sites from their release.
func (g Guard) compare(ctx context.Context, releases []released) ([]difference, error) {
	page, pageErr := g.visit(ctx, releases, visited{"page", g.Page, pageHeaders(g.Page), Release.page})
	frame, frameErr := g.visit(ctx, releases, visited{"frame", g.Frame, frameHeaders(g.Frame), Release.frame})
	return append(page, frame...), errors.Join(pageErr, frameErr)
}

// report logs and measures differences.
func (g Guard) report(ctx context.Context, found []difference, release string) {
	var changed, headers int64
	for i, d := range found {
		if d.what == whatHeader {
			headers++
		} else {
			changed++
		}
		if i < maxLines {
			g.Log.WarnContext(ctx, "the page is not as it was released", slog.String("site", d.site),
				slog.String("what", d.what), slog.String("path", short(d.path)), slog.String("wanted", short(d.wanted)),
				slog.String("found", short(d.found)), slog.String("release", release))
		}
	}
	g.Measure(ctx, metric.Line{Message: "page compared", Metrics: []metric.Metric{
		{Name: "page_changed", Unit: "Count", Value: changed}, {Name: "headers_changed", Unit: "Count", Value: headers},
	}}, slog.String("release", release))
}

// releases returns the releases that may be served now, the latest first: that and, for a quarter of an hour, the one
// before.
func (g Guard) releases(ctx context.Context) ([]released, error) {
	now := g.Now()
	records, err := g.Store.List(ctx, now, store.PageReleases(2))
	if err != nil {
		return nil, err
	}
	var all []released
	for _, record := range records {
		r := released{at: store.PageReleaseTime(record.Key)}
		if err := record.Decode(&r.Release); err != nil {
			return nil, err
		}
		if len(all) == 0 || now.Before(all[0].at.Add(overlap)) {
			all = append(all, r)
		}
	}
	return all, nil
}

// visited is a site that is compared.
type visited struct {
	name    string
	site    Site
	headers http.Header
	of      func(r Release) Built
}

// visit compares one site with the release whose index.html it has, or else with the latest one. Its pages are compared
// each by itself, since a release comes page by page.
func (g Guard) visit(ctx context.Context, releases []released, s visited) ([]difference, error) {
	built, found, err := g.visitPage(ctx, releases, s, "")
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, page := range s.of(releases[0].Release).Pages {
		_, more, err := g.visitPage(ctx, releases, s, strings.TrimSuffix(page.Name, ".html"))
		if err != nil {
			errs = append(errs, err)
		}
		for _, d := range more { // a header that all pages have counts once
			if d.what != whatHeader || !slices.Contains(found, d) {
				found = append(found, d)
			}
		}
	}
	for _, file := range slices.Concat(built.Scripts, built.Styles) {
		got, err := g.fetch(ctx, s.site.URL+"/"+file.Name, file.Bytes)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found = append(found, compareFile(file, got)...)
	}
	for i := range found {
		found[i].site = s.name
	}
	return found, errors.Join(errs...)
}

// visitPage compares a site's page in a language, "" for index.html, and returns the release that has it, or else the
// latest one.
func (g Guard) visitPage(ctx context.Context, releases []released, s visited, language string) (Built, []difference,
	error) {
	query := ""
	if language != "" {
		query = "?language=" + language
	}
	got, err := g.fetch(ctx, s.site.URL+"/"+query, maxIndex)
	if err == nil && language == "" && (got.status == http.StatusForbidden || got.status == http.StatusNotFound) {
		err = fmt.Errorf("the %s can't be fetched: %d", s.name, got.status)
	}
	built := s.of(releases[0].Release)
	if err != nil {
		return built, nil, err
	}
	text := bytes.ReplaceAll(got.body, []byte(g.Page.URL), []byte(pageOrigin))
	for _, r := range slices.Backward(releases) {
		if served := s.of(r.Release); integrity(text) == served.page(language).Integrity {
			built = served
		}
	}
	found := comparePage(built.page(language), got, text, built)
	return built, append(found, compareHeaders(s.headers, got.header)...), nil
}

// short is a text of the log, of at most 300 bytes: a policy can be longer.
func short(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
