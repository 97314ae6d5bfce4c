// Sign-in: an API key for a token, as a page of its own or as a dialog over the page when the token ended.

import { useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { say } from "../../dictionary/words.ts";
import { useFocusBack } from "../ui/focus-return.ts";
import { AppTitle, Brand, Notice, PageTitle } from "../ui/pieces.tsx";
import { useDeps } from "./deps.ts";

export function SignInPage() {
  const app = useContext(AppTitle) ?? "Intake";
  useEffect(() => {
    document.title = say("Sign in · {app}", { app });
  }, [app]);
  return (
    <main className="sign">
      <div className="card">
        <h1 className="hidden">{say("Sign in")}</h1>
        <Brand />
        <Farewell />
        <SignInForm />
      </div>
    </main>
  );
}

/** Why nobody is signed in any more, where that is not plain; and what could not be forgotten. */
function Farewell() {
  const { signOut } = useDeps();
  const parting = useSyncExternalStore(signOut.subscribe, signOut.parting);
  return (
    <>
      {parting?.isElsewhere && <Notice>{say("You signed out in another tab.")}</Notice>}
      {parting?.is === "kept" && (
        <Notice tone="wrong">
          <b>{say("Something is still on this computer.")}</b>{" "}
          {say(
            "Typed text or rows of a file could not be removed. Close the other tabs of this app, then try again; or clear this site’s data in the browser.",
          )}
          <div className="actions">
            <button type="button" className="button" onClick={signOut.leave}>
              {say("Try again")}
            </button>
          </div>
        </Notice>
      )}
    </>
  );
}

/** While an upload is being stopped, and until nothing is left of the work. */
export function Leaving() {
  return (
    <main className="sign starting">
      <div role="status">
        <PageTitle>{say("Signing out…")}</PageTitle>
        <p>{say("An upload that runs is brought to its end first. Rows that are stored stay stored.")}</p>
      </div>
    </main>
  );
}

/** Over the page: what was typed stays beneath it, and the request that was refused goes again afterwards. */
export function SignInDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { signOut } = useDeps();
  useFocusBack();
  useEffect(() => dialog.current?.showModal(), []);
  // A browser lets Escape close a dialog in the end, whatever onCancel says; only signing in or out ends this one.
  const reopen = () => dialog.current?.showModal();
  return (
    <dialog ref={dialog} aria-labelledby="again" onCancel={(event) => event.preventDefault()} onClose={reopen}>
      <div className="form">
        <h2 id="again">{say("Sign in again to go on")}</h2>
        <p className="small dim">{say("Your session ended. Everything on the page stays as it is.")}</p>
        <SignInForm />
        <button type="button" className="button quiet" onClick={signOut.leave}>
          {say("Sign out instead")}
        </button>
      </div>
    </dialog>
  );
}

function SignInForm() {
  const { session } = useDeps();
  const [key, setKey] = useState("");
  const [isShown, setShown] = useState(false);
  const [keep, setKeep] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: React.FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    if (!/^ink_[^.]+\../.test(key.trim())) {
      setWrong(say("Enter the whole API key. It begins with ink_ and has a point in the middle."));
      return input.current?.focus();
    }
    setBusy(true);
    setWrong(undefined);
    try {
      await session.signIn(key, keep);
    } catch (error) {
      setWrong((error as Error).message);
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      <div className="field">
        <label htmlFor="api-key">{say("API key")}</label>
        <span className="with-action">
          <input
            id="api-key"
            ref={input}
            // A password manager keeps what is in a password input; shown, it is text.
            type={isShown ? "text" : "password"}
            autoComplete="current-password"
            spellCheck={false}
            autoCapitalize="none"
            placeholder="ink_…"
            aria-describedby="api-key-hint"
            aria-invalid={wrong !== undefined}
            // biome-ignore lint/a11y/noAutofocus: the page has this one purpose, and a dialog's first field takes the focus
            autoFocus
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <button type="button" className="button" aria-pressed={isShown} aria-controls="api-key" onClick={() => setShown(!isShown)}>
            {isShown ? say("Hide") : say("Show")}
          </button>
        </span>
        <span className="hint" id="api-key-hint">
          {say("From your administrator. It is not stored on this computer.")}
        </span>
      </div>
      <label className="choice">
        <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} />
        {say("Stay signed in until this tab closes")}
      </label>
      <button type="submit" className="button primary" aria-disabled={isBusy}>
        {say("Sign in")}
      </button>
    </form>
  );
}
