import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "../../../core/contract/passkeys.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { AccessToEnd } from "../../app/services/access-to-end.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { useWhileMounted } from "../../app/services/use-is-mounted.ts";
import { accessQuery } from "../../service/lasting-access.ts";
import { addPasskey, ownPasskeysQuery, removePasskey, renamePasskey, whyNoPasskeys } from "../../service/passkeys.ts";
import { invalidatePeople } from "../../service/people.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";

export function OwnPasskeys() {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const query = useQuery(ownPasskeysQuery(client));
  const { data: passkeys } = query;
  const [renaming, setRenaming] = useState<Passkey>();
  const [removing, setRemoving] = useState<Passkey>();
  const reload = () => queries.invalidateQueries(ownPasskeysQuery(client));
  const [kept, setKept] = useState<string[]>([]);
  const { data: access = [] } = useQuery(accessQuery(client));
  const add = useMutation({
    mutationFn: () => addPasskey(client),
    onSuccess(added) {
      if (added) toasts.show({ message: <NameInSentence name={added.name} text={t("The passkey “{name}” is added.")} /> });
      return reload();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => removePasskey(client, id, kept),
    onSuccess: () => invalidatePeople(queries),
  });
  /** Takes away what was said of the action before, and does the next. */
  function begin(action: () => unknown): void {
    add.reset();
    remove.reset();
    toasts.dismiss();
    action();
  }
  const impossible = whyNoPasskeys();
  const error = add.error ?? remove.error;
  return (
    <section className={formStyles.form} aria-label={t("Passkeys")}>
      <h2>{t("Passkeys")}</h2>
      <p className={textStyles.note}>
        {t("With a passkey you sign in by fingerprint, face or the PIN of your device, and no password can be stolen or guessed.")}
      </p>
      {error && <Failure error={error} />}
      <Loading query={query} />
      {passkeys && passkeys.length > 0 && (
        <PasskeyTable
          passkeys={passkeys}
          onRename={(passkey) => begin(() => setRenaming(passkey))}
          onRemove={(passkey) => begin(() => [setKept([]), setRemoving(passkey)])}
        />
      )}
      {impossible ? (
        <Notice>{impossible}</Notice>
      ) : (
        <div className={pageStyles.tools}>
          <button type="button" aria-disabled={add.isPending} onClick={() => add.isPending || begin(add.mutate)}>
            {t("Add a passkey")}
          </button>
        </div>
      )}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(undefined)} onRenamed={reload} />}
      {removing && (
        <ConfirmDialog
          title={<NameInSentence name={removing.name} text={t("Remove the passkey “{name}”?")} />}
          confirmLabel={t("Remove")}
          onConfirm={() => {
            setRemoving(undefined);
            remove.mutate(removing);
          }}
          onCancel={() => setRemoving(undefined)}
        >
          {t("Nobody can sign in with it any more. Delete it on your device as well.")}
          <AccessToEnd access={access.filter(({ kind }) => kind !== "passkey")} kept={kept} onChange={setKept} />
        </ConfirmDialog>
      )}
    </section>
  );
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}

function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  return (
    <StackedTable area={t("All passkeys")} label={t("Passkeys")} heads={[t("Name"), t("Added"), t("Last used")]} actions={t("Actions")}>
      {passkeys.map((passkey) => (
        <tr key={passkey.id}>
          <td className={tableStyles.wrap}>
            <b dir="auto">{passkey.name}</b>
            <div className={textStyles.hint}>{passkey.isSynced ? t("On all your devices") : t("On one device")}</div>
          </td>
          <td data-title={t("Added")}>{formatRelativeTime(passkey.createdAt)}</td>
          <td data-title={t("Last used")}>{passkey.lastUsedAt ? formatRelativeTime(passkey.lastUsedAt) : t("Never")}</td>
          <td className={tableStyles.number}>
            <button type="button" aria-label={t("Rename {name}", { name: passkey.name })} onClick={() => onRename(passkey)}>
              {t("Rename")}
            </button>{" "}
            <button type="button" aria-label={t("Remove {name}", { name: passkey.name })} onClick={() => onRemove(passkey)}>
              {t("Remove")}
            </button>
          </td>
        </tr>
      ))}
    </StackedTable>
  );
}

function RenameDialog({ passkey, onClose: close, onRenamed }: { passkey: Passkey; onClose: () => void; onRenamed: () => unknown }) {
  const onClose = useWhileMounted(close);
  const { client } = useServices();
  const [name, setName] = useState(passkey.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => renamePasskey(client, passkey.id, name.trim()),
    onSuccess() {
      onClose();
      return onRenamed();
    },
  });
  const isEmpty = name.trim() === "";
  return (
    <FormDialog
      title={t("Rename the passkey")}
      submitLabel={t("Save")}
      isBusy={isPending}
      error={error}
      onSubmit={() => isEmpty || mutate()}
      onClose={onClose}
    >
      <TextField
        id="passkey-name"
        label={t("Name")}
        hint={t("Such as the device that it is on")}
        dir="auto"
        maxLength={100}
        value={name}
        onChange={setName}
        error={isEmpty ? t("Enter a name.") : undefined}
      />
    </FormDialog>
  );
}
