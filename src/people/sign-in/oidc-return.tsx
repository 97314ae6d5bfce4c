// The page to which the browser comes back from the organisation's own sign-in.

import { type ReactNode, useEffect, useState } from "react";
import type { OidcOutcome } from "../../../client/sessions.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { openHandOver, signInWithCode, takePending } from "../../service/oidc.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Notice, Skeleton } from "../../ui/primitives.tsx";
import { oidcSentence } from "./oidc-errors.ts";

interface OidcReturnProps {
  outcome: OidcOutcome;
  /** Draws a page of a title and what is below it. */
  page: (title: string, below: ReactNode) => ReactNode;
  /** `path`: where the person wanted to go. */
  onDone: (path?: string) => void;
}

export function OidcReturn({ outcome, page, onDone }: OidcReturnProps) {
  const { client, session } = useServices();
  const [pending] = useState(() => (outcome.state ? undefined : takePending()));
  const [isSignedIn, setSignedIn] = useState(false);
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    if (outcome.state) return handOver(outcome.state, outcome);
    if ("error" in outcome) return setWrong(oidcSentence(outcome.error));
    if (!pending) return setWrong(oidcSentence("expired"));
    signInWithCode(client, session, outcome.code, pending.verifier, pending.storeForTab).then(
      () => setSignedIn(true),
      (error) => setWrong((error as Error).message),
    );
  }, [client, session, outcome, pending]);
  useEffect(() => {
    if (isSignedIn) onDone(pending?.path);
  }, [isSignedIn, pending, onDone]);
  if (outcome.state) {
    return page(
      t("You can close this tab"),
      <>
        <p>{t("Continue in the tab where you were.")}</p>
        <button type="button" onClick={() => onDone()}>
          {t("Continue in this tab instead")}
        </button>
      </>,
    );
  }
  if (wrong === undefined) return page(t("Signing in…"), <Skeleton width="100%" />);
  return page(
    t("You are not signed in"),
    <>
      <Notice tone="wrong">{wrong}</Notice>
      <button type="button" className={buttonStyles.primary} onClick={() => onDone(pending?.path)}>
        {t("Go to sign-in")}
      </button>
    </>,
  );
}

/** Hands the outcome over to the tab in which the person works. A browser that lets a page close its own tab does so. */
function handOver(state: string, outcome: OidcOutcome): void {
  const channel = openHandOver(state);
  channel.postMessage(outcome);
  channel.close();
  window.close();
}
