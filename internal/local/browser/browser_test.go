package browser

import (
	"slices"
	"testing"
	"time"

	"checkout/internal/local"
)

// story is what a payer lives through, on a target.
type story struct {
	name string
	run  func(*visit)
}

// wholeStories go through the service; pageStories are about the page itself, whatever is behind it.
var (
	wholeStories = slices.Concat(paidStories, outcomeStories, onceStories, safetyStories, frameStories)
	pageStories  = slices.Concat(formStories, lookStories)
)

func tell(t *testing.T, at target, stories []story) {
	s := openShop(t)
	t.Run("stories", func(t *testing.T) { // so that the shop closes after the last of them
		for _, story := range stories {
			t.Run(story.name, func(t *testing.T) {
				t.Parallel()
				story.run(newVisit(t, at, s))
			})
		}
	})
}

// embedded starts the service in this process.
func embedded(t *testing.T, now func() time.Time) (target, *local.Server) {
	t.Helper()
	server, err := local.Start(t.Context(), local.Config{Root: root, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return target{server.URL, server.Demo.TestKey, server.Demo.Password}, server
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	tell(t, at, slices.Concat(wholeStories, pageStories))
}
