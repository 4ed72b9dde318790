// Package callbacks has the function that sends callbacks, and its port.
package callbacks

import (
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/callback"
	"checkout/internal/callback/post"
	"checkout/internal/queue"
	"checkout/internal/settings"
	"checkout/internal/worker"
)

// NewSender returns what sends callbacks to merchants' addresses.
func NewSender(env function.Env) callback.Sender {
	return post.New(post.Options{AllowLoopback: env("ALLOW_LOOPBACK_CALLBACKS") == "true"})
}

// Callback sends the callbacks of its queue.
var Callback = function.Function{Name: "callback", Build: func(b *function.Builder) any {
	core := b.Core("GetItem BatchGetItem PutItem Query", settings.SecretPassword, settings.SecretCallback)
	sender := worker.NewCallbackSender(core, queues.AllCallbacks(b), NewSender(b.Option))
	return queue.Callbacks(core.Log, sender.SendCallback)
}}
