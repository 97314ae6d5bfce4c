// Stands in for the whole app where passkeys are compulsory, until a session that began with a password has one.

import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "../../../core/i18n/translate.ts";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { addPasskey, ownPasskeysQuery, proveWithPasskey, whyNoPasskeys } from "../../service/passkeys.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { takeFocus } from "../../ui/focus/restore-focus.ts";
import { Brand, Failure, Notice } from "../../ui/primitives.tsx";
import * as cardStyles from "../../ui/start-card.module.css";
import * as textStyles from "../../ui/text.module.css";

/** Somebody who has one already, and came by a link for a new password, shows it. */
export function RequiredPasskeyPage({ onDone }: { onDone: () => unknown }) {
  const { client, signOut } = useServices();
  const query = useQuery(ownPasskeysQuery(client));
  const hasPasskey = (query.data?.length ?? 0) > 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (hasPasskey ? proveWithPasskey(client) : await addPasskey(client)),
    onSuccess: (done) => done && onDone(),
  });
  const impossible = whyNoPasskeys();
  const title = hasPasskey ? t("Use your passkey") : t("Add a passkey");
  return (
    <main className={cardStyles.screen}>
      <div className={cardStyles.card}>
        <Brand />
        <h1 ref={takeFocus} tabIndex={-1}>
          {title}
        </h1>
        <p className={textStyles.note}>
          {t("Here everybody signs in with a passkey: the fingerprint, face or PIN of a device. Nobody can steal or guess it.")}
        </p>
        {error && <Failure error={error} />}
        <Loading query={query} />
        {impossible && <Notice tone="doubt">{impossible}</Notice>}
        {query.data && !impossible && (
          <button type="button" className={buttonStyles.primary} aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {title}
          </button>
        )}
        <button type="button" className={buttonStyles.quiet} onClick={signOut.leave}>
          {t("Sign out")}
        </button>
      </div>
    </main>
  );
}
