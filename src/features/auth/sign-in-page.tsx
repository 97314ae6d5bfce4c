import { useContext, useEffect, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import * as noticeStyles from "../../components/notice.module.css";
import { AppTitle, Brand, Notice, PageTitle } from "../../components/primitives.tsx";
import * as cardStyles from "../../components/start-card.module.css";
import * as textStyles from "../../components/text.module.css";
import { useServices } from "../../context/services.ts";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const app = useContext(AppTitle) ?? "Intake";
  useEffect(() => {
    document.title = t("Sign in · {app}", { app });
  }, [app]);
  return (
    <main className={cardStyles.screen}>
      <div className={cardStyles.card}>
        <h1 className={textStyles.hidden}>{t("Sign in")}</h1>
        <Brand />
        <SignedOutNotice />
        <SignInForm />
      </div>
    </main>
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

/** Shown while the upload stops and local data is deleted. */
export function SigningOutPage() {
  return (
    <main className="starting">
      <div role="status">
        <PageTitle>{t("Signing out…")}</PageTitle>
        <p>{t("A running upload is stopped first. Rows already stored are kept.")}</p>
      </div>
    </main>
  );
}
