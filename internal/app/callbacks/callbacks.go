// Package callbacks has the part of the service that sends callbacks, and the function that does.
package callbacks

import (
	"checkout/internal/app/function"
	"checkout/internal/app/queues"
	"checkout/internal/callback/post"
	"checkout/internal/queue"
)

// Sender posts callbacks to merchants' addresses.
var Sender = function.Part{Name: "sender of callbacks", Add: addSender}

func addSender(g *function.Given) {
	g.Service.Sender = post.New(post.Options{AllowLoopback: g.Env("ALLOW_LOOPBACK_CALLBACKS") == "true"})
}

// Callback tells the merchant.
var Callback = function.Function{
	Name: "callback", Parts: []*function.Part{&queues.Callbacks, &Sender, &function.CallbackSecrets}, Entry: sendCallbacks,
}

// sendCallbacks handles the callbacks' queue.
func sendCallbacks(a *function.App, _ function.Function) any {
	return queue.Callbacks(a.Service.Log, a.Service.SendCallback)
}
