// The ways to sign in that the service offers.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { signInWaysQuery } from "../../api/sign-in.ts";
import * as buttonStyles from "../../components/button.module.css";
import { Skeleton } from "../../components/primitives.tsx";
import { useServices } from "../../context/services.ts";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";

/** While nobody has an account, and while the service does not answer, an API key is the only way. */
export function SignInForm() {
  const { client } = useServices();
  const { data, isPending } = useQuery(signInWaysQuery(client));
  const [hasKey, setHasKey] = useState(false);
  if (isPending) return <Skeleton width="100%" />;
  if (!data?.hasUsers) return <KeyForm />;
  return (
    <>
      {hasKey ? <KeyForm /> : <PasswordForm />}
      {!hasKey && <ForgottenPassword canMail={data.canMailLinks} />}
      <button type="button" className={buttonStyles.quiet} onClick={() => setHasKey(!hasKey)}>
        {hasKey ? t("Use e-mail and password") : t("Use an API key")}
      </button>
    </>
  );
}
