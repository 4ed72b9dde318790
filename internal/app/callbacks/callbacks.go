// Package callbacks has the part of the service that sends callbacks, and the function that needs it.
package callbacks

import (
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/callback/post"
	"checkout/internal/queue"
)

// Sender sends callbacks to merchants' addresses.
var Sender = function.Part{Name: "sender of callbacks", Add: addSender}

func addSender(b *function.Builder) {
	b.Worker.Sender = post.New(post.Options{AllowLoopback: b.Env("ALLOW_LOOPBACK_CALLBACKS") == "true"})
}

// Callback sends the callbacks of its queue.
var Callback = function.Function{
	Name: "callback",
	Parts: []*function.Part{
		&queues.Callbacks, &queues.SlowCallbacks, &Sender, &function.Passwords, &function.CallbackSecrets,
	},
	Entry: sendCallbacks,
}

// sendCallbacks handles the messages of the callback queue.
func sendCallbacks(a *function.App, _ function.Function) any {
	return queue.Callbacks(a.Core.Log, a.Worker.SendCallback)
}
