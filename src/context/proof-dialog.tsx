// Asks again who somebody is, when the service wants to know it before it changes how they sign in.

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../client/errors.ts";
import { t } from "../../core/i18n/translate.ts";
import { proveWithPasskey, proveWithPassword } from "../api/passkeys.ts";
import * as buttonStyles from "../components/button.module.css";
import * as formStyles from "../components/form.module.css";
import { FormDialog } from "../components/form-dialog.tsx";
import { PasswordInput } from "../components/password-input.tsx";
import * as textStyles from "../components/text.module.css";
import { useServices } from "./services.ts";

export interface Proof {
  /** The dialog is to be shown. */
  isAsking: boolean;
  /** Does something; if the service wants a proof first, asks for it and does it again. Undefined when the user gives none. */
  proving<T>(act: () => Promise<T>): Promise<T | undefined>;
  /** The dialog has ended. */
  end(isProved: boolean): void;
}

export function useProof(): Proof {
  const [isAsking, setAsking] = useState(false);
  const answer = useRef<(isProved: boolean) => void>(undefined);
  return {
    isAsking,
    async proving(act) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "PROOF_NEEDED")) throw error;
      }
      setAsking(true);
      const isProved = await new Promise<boolean>((resolve) => {
        answer.current = resolve;
      });
      setAsking(false);
      return isProved ? act() : undefined;
    },
    end: (isProved) => answer.current?.(isProved),
  };
}

export function ProofDialog({ hasPasskey, onEnd }: { hasPasskey: boolean; onEnd: (isProved: boolean) => void }) {
  const { client } = useServices();
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (way: "password" | "passkey") => {
      if (way === "passkey") return proveWithPasskey(client);
      await proveWithPassword(client, password);
      return true;
    },
    onSuccess: (isProved) => isProved && onEnd(true),
  });
  return (
    <FormDialog
      title={t("Confirm that it is you")}
      submitLabel={t("Confirm")}
      isBusy={isPending}
      error={error && wrongProof(error)}
      onSubmit={() => password && mutate("password")}
      onClose={() => onEnd(false)}
      more={
        hasPasskey && (
          <button type="button" className={buttonStyles.link} onClick={() => isPending || mutate("passkey")}>
            {t("Use a passkey instead")}
          </button>
        )
      }
    >
      <p className={textStyles.note}>{t("You signed in some time ago. Enter your password, or sign out and sign in again.")}</p>
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
    </FormDialog>
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
