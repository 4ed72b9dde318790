package browser

import (
	"slices"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/demo"
	"checkout/internal/settings"
)

// story is a payer's visit on a target.
type story struct {
	name string
	run  func(*visit)
}

// wholeStories are about whole payments; pageStories are about the page itself, or need the demo shop, which receives
// the callbacks.
var (
	wholeStories = slices.Concat(paidStories, outcomeStories, onceStories, safetyStories, frameStories, languageStories)
	pageStories  = slices.Concat(formStories, savedStories, kindStories)
)

func tell(t *testing.T, at target, stories []story) {
	s := openShop(t)
	t.Run("stories", func(t *testing.T) { // so that all are told when this returns
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
	if err := server.App.Merchants.Save(t.Context(), careful(server.Demo)); err != nil {
		t.Fatal(err)
	}
	return target{server.URL, server.Demo.TestKey, server.Demo.Password}, server
}

const carefulKey = "careful-test"

// careful is a merchant whose page requires the security code of saved cards, and saves and removes cards for payers.
// It sends names as payers typed them. Its callbacks go to the demo shop, too.
func careful(shop demo.Config) settings.Merchant {
	return settings.Merchant{
		ID: "careful", Name: "Careful Shop", LiveKey: "careful-live", TestKey: carefulKey, Password: shop.Password,
		CallbackSecret: shop.CallbackSecret, NotificationURL: shop.BaseURL + "/demo/callback",
		TestNotificationURL: shop.BaseURL + "/demo/callback",
		Schedules: []settings.Schedule{{ID: "0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10", Name: "Every month",
			Interval: settings.Interval{IntervalLength: 1, IntervalUnit: settings.UnitMonth}}},
		Mappings: []settings.Mapping{{
			Name: "default", ReturnParameters: true, SaveCards: true,
			Compatibility: settings.Compatibility{settings.NamesSwitch: "typed"},
			MIDs: []settings.MID{{Name: "sandbox", Connector: settings.SandboxConnector, Methods: []string{"card"},
				SecurityCode: true}},
		}},
	}
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	tell(t, at, slices.Concat(wholeStories, pageStories))
}
