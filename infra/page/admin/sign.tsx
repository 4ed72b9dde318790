// What a person sees who is not in: where to sign in, and how to ask for a grant.

import { useEffect, useState } from "preact/hooks";
import type { Failure } from "./api";
import { Copy } from "./parts";
import { refresh, signOut, type Command, type Session } from "./session";

/** SignIn leads to the provider. */
export function SignIn({ at }: { at: string }) {
  const refused = new URLSearchParams(location.search).get("refused");
  return (
    <>
      {refused !== null && (
        <div class="failure" role="alert">
          <p>The sign-in was refused. Begin again; if it stays so, tell an administrator the request id.</p>
          {refused && (
            <p class="soft">
              Request <Copy text={refused} name="request id" />
            </p>
          )}
        </div>
      )}
      <p>
        You are not signed in, or not any more: a session ends after 15 minutes in which nobody uses the page, and after
        12 hours.
      </p>
      <p>
        <a class="button" href={at}>
          Sign in
        </a>
      </p>
    </>
  );
}

/** SignOut ends the session. */
export const SignOut = () => (
  <button type="button" class="plain" onClick={() => void signOut()}>
    Sign out
  </button>
);

/** AskForGrant says what to send an administrator. */
export function AskForGrant({ failure }: { failure: Failure }) {
  const [session, setSession] = useState<Session | null>(null);
  useEffect(() => void refresh().then(setSession), []);
  return (
    <>
      <p role="status">{failure.faults.join("\n") || failure.text}</p>
      {session && (
        <>
          <p>
            Send an administrator this name, and say what you have to do for which merchant. It is the one that
            Operators asks for:
          </p>
          <p>
            <Copy text={session.who} name="your name" />
          </p>
          {session.email && <p class="soft">You have signed in as {session.email}.</p>}
          <p>Then load this page again.</p>
        </>
      )}
      <SignOut />
    </>
  );
}

/** SignInCommand asks before a command of this machine gets a session. */
export function SignInCommand({ command }: { command: Command }) {
  return (
    <main class="start">
      <h1>Sign in the command?</h1>
      <p>
        A program on this machine, at port {command.port}, asks to act in your name for up to 12 hours. Go on only if
        you have just typed <code>checkout login</code> yourself: whoever has sent you a link to this page wants your
        access.
      </p>
      <p>
        <a class="button" href={command.link}>
          Sign in the command
        </a>
      </p>
    </main>
  );
}
