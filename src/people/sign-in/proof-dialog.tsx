// Asks again who somebody is. The request that needs it waits meanwhile, and is sent once more (client/http-client.ts).

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { proofWaysQuery, proveWithCode, proveWithPasskey, proveWithPassword, whyNoPasskeys } from "../../service/passkeys.ts";
import { signInWaysQuery } from "../../service/sign-in-ways.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { useRestoreFocus } from "../../ui/focus/restore-focus.ts";
import * as formStyles from "../../ui/form.module.css";
import { Modal } from "../../ui/modal.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { PasswordInput } from "../../ui/password-input.tsx";
import { Failure, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { OidcLink } from "./oidc-link.tsx";

export function ProofDialog() {
  useRestoreFocus();
  const { client, session } = useServices();
  const { data: ways } = useQuery(proofWaysQuery(client));
  const { data: signIns } = useQuery(signInWaysQuery(client));
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (way: "password" | "passkey") => {
      if (way === "passkey") return proveWithPasskey(client);
      await proveWithPassword(client, password);
      return true;
    },
    onSuccess: (isProved) => isProved && session.endProof(true),
  });
  const canUsePasskey = ways?.includes("passkey") && !whyNoPasskeys();
  const oidc = isSecureContext && ways?.includes("oidc") ? signIns?.oidc : undefined; // elsewhere browsers have no crypto.subtle
  const isNothing = ways && !ways.includes("password") && !canUsePasskey && !oidc;
  return (
    <Modal labelledBy="proof" className={formStyles.dialog} onClose={() => session.endProof(false)}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (password && !isPending) mutate("password");
        }}
      >
        <h2 id="proof">{t("Confirm that it is you")}</h2>
        {error && <Failure error={wrongProof(error)} />}
        <p className={textStyles.note}>
          {isNothing
            ? t("You signed in some time ago. Sign out and sign in again, then do this once more.")
            : t("This gives lasting access, and you signed in some time ago. Confirm it once; then nothing asks for ten minutes.")}
        </p>
        {!ways && <Skeleton width="100%" />}
        {ways?.includes("password") && (
          <div className={formStyles.field}>
            <label htmlFor="proof-password">{t("Current password")}</label>
            <PasswordInput
              id="proof-password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </div>
        )}
        {oidc && (
          <OidcLink
            name={oidc.name}
            isOverPage
            onCode={async (code, verifier) => {
              await proveWithCode(client, code, verifier);
              session.endProof(true);
            }}
          />
        )}
        <div className={pageStyles.tools}>
          {ways?.includes("password") && (
            <button type="submit" className={buttonStyles.primary} aria-disabled={isPending}>
              {t("Confirm")}
            </button>
          )}
          {canUsePasskey && (
            <button type="button" aria-disabled={isPending} onClick={() => isPending || mutate("passkey")}>
              {t("Use a passkey")}
            </button>
          )}
          <button type="button" onClick={() => session.endProof(false)}>
            {t("Cancel")}
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** The service's own sentence for a wrong password is about signing in. */
function wrongProof(error: Error): Error {
  const [problem] = error instanceof ApiError ? error.problems : [];
  if (!problem) return error;
  return new Error((problem.code as string) === "WRONG_PASSWORD" ? t("This is not your current password.") : problem.message, {
    cause: error,
  });
}
