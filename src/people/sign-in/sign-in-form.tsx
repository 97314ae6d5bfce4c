// The ways to sign in that the service offers.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SignInWays } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { signInWaysQuery } from "../../service/sign-in-ways.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Skeleton } from "../../ui/primitives.tsx";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { KeyForm } from "./key-form.tsx";
import { OidcLink } from "./oidc-link.tsx";
import { PasswordForm } from "./password-form.tsx";

/** `isOverPage`: what is on the page below must stay. */
export function SignInForm({ isOverPage = false }: { isOverPage?: boolean }) {
  const { client } = useServices();
  const { data, isPending } = useQuery(signInWaysQuery(client));
  const [isOther, setOther] = useState(false);
  if (isPending) return <Skeleton width="100%" />;
  const oidc = isSecureContext ? data?.oidc : undefined; // elsewhere browsers have no crypto.subtle
  return (
    <>
      {oidc && !isOther ? <OidcLink name={oidc.name} isOverPage={isOverPage} /> : <OwnForms ways={data} />}
      {oidc && (
        <button type="button" className={buttonStyles.quiet} onClick={() => setOther(!isOther)}>
          {isOther ? t("Sign in with {name}", oidc) : t("Sign in another way")}
        </button>
      )}
    </>
  );
}

/** While nobody has an account, and while the service does not answer, an API key is the only way. */
function OwnForms({ ways }: { ways: SignInWays | undefined }) {
  const [hasKey, setHasKey] = useState(false);
  if (!ways?.hasUsers) return <KeyForm />;
  return (
    <>
      {hasKey ? <KeyForm /> : <PasswordForm hasPasskeys={ways.hasPasskeys ?? false} />}
      {!hasKey && <ForgottenPassword canMail={ways.canMailLinks} />}
      <button type="button" className={buttonStyles.quiet} onClick={() => setHasKey(!hasKey)}>
        {hasKey ? t("Use e-mail and password") : t("Use an API key")}
      </button>
    </>
  );
}
