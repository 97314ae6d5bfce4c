import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Role } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { RoleChoice } from "../../people/role-choice.tsx";
import { ScopeEditor } from "../../people/scope-editor.tsx";
import { apiKeysQuery, type CreatedKey, createApiKey } from "../../service/api-keys.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { DayInput } from "../../values/date-input.tsx";

const DAY_MS = 86_400_000;
const MAX_NAME = 100; // characters

interface NewKeyProps {
  /** The caller's own scope. */
  most: string;
  /** The roles that the caller may give to a key. */
  roles: readonly Role[];
  onCreated: (key: CreatedKey) => void;
  onClose: () => void;
}

export function NewKeyDialog({ most, roles, onCreated, onClose }: NewKeyProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState("");
  const [chosen, setChosen] = useState<string[]>();
  const [expiry, setExpiry] = useState<Expiry>({ is: "90", date: "" });
  const [wrong, setWrong] = useState<{ name?: string; scope?: string; roles?: string; date?: string }>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createApiKey(client, { name: name.trim(), ...(chosen ? { roles: chosen } : { scope }), expiresAt: endOf(expiry) }),
    onSuccess: (key) => {
      onCreated(key);
      return queries.invalidateQueries(apiKeysQuery(client));
    },
  });

  function submit(): void {
    const found = {
      ...(name.trim() === "" && { name: t("Enter a name, so that others know what the key is for.") }),
      ...(!chosen && scope === "" && { scope: t("Choose at least one right.") }),
      ...(chosen?.length === 0 && { roles: t("Choose at least one role.") }),
      ...(expiry.is === "date" && !(Date.parse(endOf(expiry) ?? "") > Date.now()) && { date: t("Choose a day in the future.") }),
    };
    setWrong(found);
    if (found.name) document.getElementById("key-name")?.focus();
    else if (found.date) document.getElementById("key-date")?.focus();
    if (Object.keys(found).length === 0) mutate();
  }

  return (
    <FormDialog title={t("New API key")} submitLabel={t("Create key")} isBusy={isPending} error={error} onSubmit={submit} onClose={onClose}>
      <TextField
        id="key-name"
        label={t("Name")}
        dir="auto"
        autoComplete="off"
        autoFocus
        maxLength={MAX_NAME}
        value={name}
        onChange={setName}
        hint={t("The program that will use it, such as “Web shop”.")}
        error={wrong.name}
      />
      {roles.length > 0 && (
        <fieldset>
          <legend>{t("What it may do")}</legend>
          <label className={formStyles.choice}>
            <input type="radio" name="key-by" checked={!chosen} onChange={() => setChosen(undefined)} />
            <span>{t("Rights that you choose here")}</span>
          </label>
          <label className={formStyles.choice}>
            <input type="radio" name="key-by" checked={chosen !== undefined} onChange={() => setChosen([])} />
            <span>
              {t("What a role allows")} <span className={textStyles.hint}>{t("Its conditions hold for the key, too.")}</span>
            </span>
          </label>
        </fieldset>
      )}
      {chosen ? (
        <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} error={wrong.roles} />
      ) : (
        <ScopeEditor scope={scope} onChange={setScope} most={most} error={wrong.scope} />
      )}
      <ExpiryField expiry={expiry} onChange={setExpiry} error={wrong.date} />
    </FormDialog>
  );
}

/** Days from now, a date (`YYYY-MM-DD`, its end in the user's time zone), or never. */
interface Expiry {
  is: "30" | "90" | "365" | "date" | "never";
  date: string;
}

function endOf({ is, date }: Expiry): string | null {
  if (is === "never") return null;
  const end = is === "date" ? new Date(`${date}T23:59:59`).getTime() : Date.now() + Number(is) * DAY_MS;
  return Number.isNaN(end) ? "" : new Date(end).toISOString();
}

function ExpiryField({ expiry, onChange, error }: { expiry: Expiry; onChange: (next: Expiry) => void; error: string | undefined }) {
  const { is, date } = expiry;
  return (
    <div className={formStyles.field}>
      <label htmlFor="key-expiry">{t("Expires")}</label>
      <select id="key-expiry" value={is} onChange={({ target }) => onChange({ ...expiry, is: target.value as Expiry["is"] })}>
        <option value="30">{t("In {n} days", { n: 30 })}</option>
        <option value="90">{t("In {n} days", { n: 90 })}</option>
        <option value="365">{t("In a year")}</option>
        <option value="date">{t("On a day…")}</option>
        <option value="never">{t("Never")}</option>
      </select>
      {is === "date" && (
        <DayInput
          id="key-date"
          aria-label={t("Last day")}
          aria-invalid={error !== undefined}
          aria-describedby={error && "key-date-error"}
          day={date}
          onDay={(day) => onChange({ is, date: day })}
        />
      )}
      {error && (
        <span className={textStyles.error} id="key-date-error">
          {error}
        </span>
      )}
      {is === "never" && (
        <span className={textStyles.hint}>{t("Nobody will be reminded to replace it. Revoke it yourself when it is no longer used.")}</span>
      )}
    </div>
  );
}
