// The link to the organisation's own sign-in. Over a page it opens a tab, and the outcome comes back to this one.

import { useEffect, useRef, useState } from "react";
import { hasCookie, type OidcAttempt, type OidcOutcome } from "../../../client/sessions.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { keepPending, newAttempt, openHandOver, signInWithCode } from "../../service/oidc.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { Notice, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { oidcSentence } from "./oidc-errors.ts";

interface OidcLinkProps {
  /** Says what people call that sign-in. */
  name: string;
  /** Says that what is on the page below must stay. */
  isOverPage: boolean;
  /** Uses the code that comes back, over a page. Without it the code becomes a session. */
  onCode?: UseCode;
}

type UseCode = (code: string, verifier: string) => Promise<unknown>;

export function OidcLink({ name, isOverPage, onCode }: OidcLinkProps) {
  const { client } = useServices();
  const [storeForTab, setStoreForTab] = useState(false);
  const { attempt, wrong } = useAttempt(isOverPage, storeForTab, onCode);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (attempt) link.current?.focus();
  }, [attempt]);
  if (!attempt) return <Skeleton width="100%" />;
  const keep = () => keepPending({ verifier: attempt.verifier, path: location.href.slice(location.origin.length), storeForTab });
  return (
    <>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      <a
        ref={link}
        className={buttonStyles.primary}
        href={attempt.url}
        {...(isOverPage ? { target: "_blank", rel: "noopener", "aria-describedby": "new-tab" } : { onClick: keep })}
      >
        {t("Sign in with {name}", { name })}
      </a>
      {isOverPage && (
        <span className={textStyles.hint} id="new-tab">
          {t("A new tab opens for it. This page stays as it is.")}
        </span>
      )}
      {!hasCookie(client) && !onCode && (
        <label className={formStyles.choice}>
          <input type="checkbox" checked={storeForTab} onChange={({ target }) => setStoreForTab(target.checked)} />
          {t("Stay signed in until this tab closes")}
        </label>
      )}
    </>
  );
}

/** Prepares a sign-in that begins with the next click. Over a page another tab brings its outcome, and this one signs in. */
function useAttempt(
  isOverPage: boolean,
  storeForTab: boolean,
  onCode: UseCode | undefined,
): { attempt: OidcAttempt | undefined; wrong: string | undefined } {
  const { client, session } = useServices();
  const [attempt, setAttempt] = useState<OidcAttempt>();
  const [wrong, setWrong] = useState<string>();
  const isStored = useRef(storeForTab);
  isStored.current = storeForTab;
  const takesCode = useRef(onCode);
  takesCode.current = onCode;
  useEffect(() => {
    const state = isOverPage ? crypto.randomUUID() : undefined;
    const channel = state && openHandOver(state);
    void newAttempt(client, state).then((made) => {
      setAttempt(made);
      if (!channel) return;
      channel.onmessage = async ({ data }: MessageEvent<OidcOutcome>) => {
        try {
          if ("error" in data) setWrong(oidcSentence(data.error));
          else if (takesCode.current) await takesCode.current(data.code, made.verifier);
          else await signInWithCode(client, session, data.code, made.verifier, isStored.current);
        } catch (error) {
          setWrong((error as Error).message);
        }
      };
    });
    return () => {
      if (channel) channel.close();
    };
  }, [client, session, isOverPage]);
  return { attempt, wrong };
}
