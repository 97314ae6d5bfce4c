// API keys: which there are and what they may do, making one and revoking one.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide";
import { useState } from "react";
import type { ApiKey } from "../../../core/contract/keys.ts";
import { allows } from "../../../core/contract/scopes.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { apiKeysQuery, type CreatedKey, revokeApiKey } from "../../service/api-keys.ts";
import { meQuery } from "../../service/me.ts";
import { rolesQuery, usersQuery } from "../../service/people.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { CopyOnce } from "../../ui/copy-once.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Icon, PageTitle } from "../../ui/primitives.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { hasEnded, KeyTable } from "./key-table.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

export function KeysPage() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const query = useQuery(apiKeysQuery(client));
  const { data: keys } = query;
  const isAdmin = allows(me?.scope ?? "", "admin");
  const { data: users } = useQuery({ ...usersQuery(client), enabled: isAdmin });
  const { data: all } = useQuery({ ...rolesQuery(client), enabled: isAdmin });
  const roles = all?.filter(({ scope }) => !allows(scope, "admin")) ?? me?.roles ?? [];
  const [isMaking, setMaking] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const newest = [...(keys ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  const ended = newest.filter(hasEnded);
  const usable = newest.filter((key) => !hasEnded(key));
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("API keys")}</PageTitle>
        {keys && (
          <button type="button" className={buttonStyles.primary} onClick={() => setMaking(true)}>
            {t("New API key")}
          </button>
        )}
      </div>
      <p className={textStyles.dim}>
        {t("Programs sign in with a key. Each program should have its own, with no more rights than it needs.")}
      </p>
      {created && (
        <CopyOnce title={t("Copy the key now.")} label={t("API key")} secret={created.key} onDone={() => setCreated(undefined)}>
          <NameInSentence
            name={created.name}
            text={t("“{name}” is ready. The key is shown only this once and cannot be read again later.")}
          />
        </CopyOnce>
      )}
      <Loading query={query} />
      {keys && usable.length === 0 && (
        <div className={pageStyles.empty}>
          <Icon of={KeyRound} isLarge />
          <b>{t("No API keys yet")}</b>
          <span className={textStyles.dim}>{t("A program needs one to read or write records.")}</span>
        </div>
      )}
      {usable.length > 0 && <KeyTable label={t("API keys")} keys={usable} users={users} roles={roles} onRevoke={setRevoking} />}
      {ended.length > 0 && (
        <details>
          <summary>{count(ended.length, "{n} key that has ended", "{n} keys that have ended")}</summary>
          <KeyTable label={t("Keys that have ended")} keys={ended} users={users} roles={roles} className={tableStyles.ended} />
        </details>
      )}
      {isMaking && (
        <NewKeyDialog
          most={me?.scope ?? "admin"}
          roles={roles}
          onClose={() => setMaking(false)}
          onCreated={(key) => {
            setMaking(false);
            setCreated(key);
          }}
        />
      )}
      {revoking && <RevokeDialog apiKey={revoking} onEnd={() => setRevoking(undefined)} />}
    </>
  );
}

function RevokeDialog({ apiKey, onEnd }: { apiKey: ApiKey; onEnd: () => void }) {
  const { client, session, toasts } = useServices();
  const queries = useQueryClient();
  const name = apiKey.name || apiKey.id;
  const { mutate, error } = useMutation({
    mutationFn: () => revokeApiKey(client, apiKey.id),
    onSuccess: () => {
      onEnd();
      toasts.show({ message: <NameInSentence name={name} text={t("“{name}” is revoked.")} /> });
      return queries.invalidateQueries(apiKeysQuery(client));
    },
  });
  return (
    <ConfirmDialog
      title={<NameInSentence name={name} text={t("Revoke “{name}”?")} />}
      confirmLabel={t("Revoke")}
      onConfirm={mutate}
      onCancel={onEnd}
    >
      {t("Programs that use this key are refused at once. It cannot be made valid again.")}
      {session.owner() === apiKey.id && ` ${t("You are signed in with this key.")}`}
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}
