import { useEffect, useRef, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { hasSuggestions, signInBySuggestion, signInWithPasskey } from "../../service/passkeys.ts";
import { Notice } from "../../ui/primitives.tsx";

const ANEW_AFTER = 240_000; // ms; what the browser holds is good for five minutes

/** Draws a button, and offers the passkeys among the browser's suggestions for the e-mail address. */
export function PasskeySignIn({ storeForTab }: { storeForTab: boolean }) {
  const { client, session } = useServices();
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [turn, setTurn] = useState(0);
  const store = useRef(storeForTab);
  store.current = storeForTab;

  useEffect(() => {
    if (isBusy) return; // a browser shows one thing at a time
    const wait = new AbortController();
    const suggest = async () => {
      if (await hasSuggestions()) await signInBySuggestion(client, session, () => store.current, wait.signal);
    };
    suggest().catch((error: Error) => wait.signal.aborted || setWrong(error.message));
    const timer = setTimeout(() => setTurn(turn + 1), ANEW_AFTER);
    return () => {
      wait.abort();
      clearTimeout(timer);
    };
  }, [client, session, isBusy, turn]);

  async function signIn(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setWrong(undefined);
    try {
      if (await signInWithPasskey(client, session, storeForTab)) return;
    } catch (error) {
      setWrong((error as Error).message);
    }
    setBusy(false);
  }

  return (
    <>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      <button type="button" aria-disabled={isBusy} onClick={signIn}>
        {t("Sign in with a passkey")}
      </button>
    </>
  );
}
