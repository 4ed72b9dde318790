package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
)

// Direct serves what the admin API has of settings, over the table that OpenMerchants opens, to whoever calls: they may
// do what AWS lets them do with the table and the key. failed gets internal errors.
func Direct(ctx context.Context, env Env, failed func(error)) (http.Handler, error) {
	if env("SECRETS_KEY_ID") == "" {
		return nil, errors.New("the environment has no SECRETS_KEY_ID")
	}
	merchants, err := OpenMerchants(ctx, env)
	if err != nil {
		return nil, err
	}
	core, err := function.NewCore(env, slog.New(slog.DiscardHandler), time.Now, merchants.Store)
	if err != nil {
		return nil, err
	}
	by := grant.Person{}
	if by.Who, err = callerOf(ctx); err != nil {
		return nil, err
	}
	by.Grants = []grant.Grant{
		{Who: by.Who, Role: grant.Admin, Merchants: []string{grant.AllMerchants}, Mode: grant.Both},
	}
	routes := api.AdminSettings(operator.NewPeople(core), operator.NewEditor(core, merchants))
	common := function.NewAPI(core, env)
	common.Failed = failed
	handler := common.Handler(routes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(api.WithPerson(r.Context(), by)))
	}), nil
}
