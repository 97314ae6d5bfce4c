// Signing in: as a page, and as a dialog over a page.

import { useQuery } from "@tanstack/react-query";
import { useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { LanguageChoice } from "../../app/services/look-choices.tsx";
import { useServices } from "../../app/services/services.ts";
import { signInWaysQuery } from "../../service/sign-in-ways.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { AppTitle, Brand, Notice } from "../../ui/primitives.tsx";
import * as cardStyles from "../../ui/start-card.module.css";
import * as textStyles from "../../ui/text.module.css";
import { AskForAccess } from "./ask-for-access.tsx";
import { RequiredPasskeyPage } from "./required-passkey-page.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import * as styles from "./sign-in-page.module.css";

/** `onPasskey`: a password is not enough here. It is called when the person has added or shown a passkey. */
export function SignInPage({ onPasskey }: { onPasskey?: () => unknown }) {
  return onPasskey ? <RequiredPasskeyPage onDone={onPasskey} /> : <SignedOutPage />;
}

function SignedOutPage() {
  const app = useContext(AppTitle) ?? "Intake";
  const { session, organisation } = useServices();
  const { signInNote, supportUrl } = useSyncExternalStore(organisation.subscribe, organisation.current);
  // It tries once more, if the service did not answer when the app started.
  useEffect(() => void session.restore(), [session]);
  useEffect(() => {
    document.title = t("Sign in · {app}", { app });
  }, [app]);
  return (
    <main className={cardStyles.screen}>
      <div className={styles.stack}>
        <div className={cardStyles.card}>
          <h1 className={textStyles.hidden}>{t("Sign in")}</h1>
          <div className={styles.organisation}>
            <Brand />
            {signInNote && <p>{signInNote}</p>}
          </div>
          <SignedOutNotice />
          <SetUpNote />
          <SignInForm />
          <AskForAccess />
        </div>
        <footer className={styles.foot}>
          <div className={styles.language}>
            <LanguageChoice />
          </div>
          {supportUrl && (
            <a href={supportUrl} target="_blank" rel="noreferrer">
              {t("Help")}
            </a>
          )}
          {app !== "Intake" && <span>Intake</span>}
        </footer>
      </div>
    </main>
  );
}

/** A new store has nobody who could sign in. Whoever has started it is told where the way in is. */
function SetUpNote() {
  const { client } = useServices();
  const { data } = useQuery(signInWaysQuery(client));
  if (data?.hasUsers !== false) return null;
  return (
    <Notice>
      {t(
        "Nobody has an account here yet. The first start of the service wrote a link into its output: it makes you the first administrator.",
      )}
    </Notice>
  );
}

/** Opens over the page, which stays as it is, hidden. Requests that got a 401 are sent again after the sign-in. */
export function SignInDialog() {
  const app = useContext(AppTitle) ?? "Intake";
  const dialog = useRef<HTMLDialogElement>(null);
  const { signOut } = useServices();
  useRestoreFocus();
  useEffect(() => dialog.current?.showModal(), []);
  // The page's own title may be the name of a record.
  useEffect(() => {
    const before = document.title;
    const own = t("Sign in · {app}", { app });
    document.title = own;
    return () => {
      if (document.title === own) document.title = before;
    };
  }, [app]);
  // A second Escape closes a dialog whatever onCancel does. Only signing in or out may end this one.
  const reopen = () => dialog.current?.showModal();
  return (
    <dialog ref={dialog} aria-labelledby="again" onCancel={(event) => event.preventDefault()} onClose={reopen}>
      <div className={formStyles.form}>
        <h2 id="again">{t("Sign in again to continue")}</h2>
        <p className={textStyles.note}>
          {t("Your session ended. Everything on the page stays as it is.")} {t("It is shown again when you have signed in.")}
        </p>
        <SignInForm isOverPage />
        <button type="button" className={buttonStyles.quiet} onClick={signOut.leave}>
          {t("Sign out instead")}
        </button>
      </div>
    </dialog>
  );
}

/** Says that someone signed out in another tab, and which data could not be deleted. */
function SignedOutNotice() {
  const { signOut } = useServices();
  const status = useSyncExternalStore(signOut.subscribe, signOut.status);
  return (
    <>
      {status?.isElsewhere && <Notice>{t("You signed out in another tab.")}</Notice>}
      {status?.is === "incomplete" && (
        <Notice tone="wrong">
          <b>{t("Some data is still on this computer.")}</b>{" "}
          {t(
            "Drafts or uploads could not be deleted. Close the other tabs of this app, then try again; or clear this site’s data in the browser.",
          )}
          <div className={noticeStyles.actions}>
            <button type="button" onClick={signOut.leave}>
              {t("Try again")}
            </button>
          </div>
        </Notice>
      )}
    </>
  );
}
