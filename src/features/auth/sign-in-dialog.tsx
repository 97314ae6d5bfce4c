import { useEffect, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../components/button.module.css";
import * as formStyles from "../../components/form.module.css";
import { useRestoreFocus } from "../../components/restore-focus.ts";
import * as textStyles from "../../components/text.module.css";
import { useServices } from "../../context/services.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Opens over the page, which stays as it is. Requests that got a 401 are sent again after the sign-in. */
export function SignInDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { signOut } = useServices();
  useRestoreFocus();
  useEffect(() => dialog.current?.showModal(), []);
  // A second Escape closes a dialog whatever onCancel does. Only signing in or out may end this one.
  const reopen = () => dialog.current?.showModal();
  return (
    <dialog ref={dialog} aria-labelledby="again" onCancel={(event) => event.preventDefault()} onClose={reopen}>
      <div className={formStyles.form}>
        <h2 id="again">{t("Sign in again to continue")}</h2>
        <p className={textStyles.note}>{t("Your session ended. Everything on the page stays as it is.")}</p>
        <SignInForm />
        <button type="button" className={buttonStyles.quiet} onClick={signOut.leave}>
          {t("Sign out instead")}
        </button>
      </div>
    </dialog>
  );
}
