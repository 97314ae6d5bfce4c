// Shows what ends together with a password, a passkey or all sessions, with a box for what is to be kept.

import type { LastingAccess } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatRelativeTime } from "../../values/format.ts";
import { browserName } from "./browser-name.ts";

interface AccessToEndProps {
  /** Is undefined while it is read. */
  access: readonly LastingAccess[] | undefined;
  /** Ids. */
  kept: readonly string[];
  onChange: (kept: string[]) => void;
}

/** Shows nothing where nothing ends. */
export function AccessToEnd({ access = [], kept, onChange }: AccessToEndProps) {
  if (access.length === 0) return null;
  return (
    <fieldset className={formStyles.field}>
      <legend>{t("This ends, too. Keep what you know:")}</legend>
      {access.map((one) => (
        <label key={one.id} className={formStyles.choice}>
          <input
            type="checkbox"
            checked={kept.includes(one.id)}
            onChange={({ target }) => onChange(target.checked ? [...kept, one.id] : kept.filter((id) => id !== one.id))}
          />
          <span>
            <bdi>{nameOf(one)}</bdi>
            <span className={textStyles.hint}> {lastUseOf(one)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function nameOf({ kind, name }: LastingAccess): string {
  switch (kind) {
    case "session":
      return t("Session in {browser}", { browser: browserName(name) || name || t("Unknown") });
    case "key":
      return t("API key “{name}”", { name: name || t("Without a name") });
    case "passkey":
      return t("Passkey “{name}”", { name });
    case "webhook":
      return t("Webhook to {address}", { address: name });
  }
}

function lastUseOf({ kind, lastUsedAt, lastUsedFrom }: LastingAccess): string {
  if (kind === "webhook") return "";
  if (lastUsedAt === null) return t("never used");
  const time = formatRelativeTime(lastUsedAt);
  return lastUsedFrom === null ? t("used {time}", { time }) : t("used {time} from {source}", { time, source: lastUsedFrom });
}
