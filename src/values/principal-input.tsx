import { useState } from "react";
import type { Principal } from "../../core/contract/principals.ts";
import { t } from "../../core/i18n/translate.ts";

const OTHER = "\n"; // no id has a line break

interface PrincipalInputProps {
  id: string;
  /** The id of a person or an API key; empty while none is chosen. */
  text: string;
  /** Holds the people whose names are known. */
  seen: readonly Principal[];
  onText: (text: string) => void;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

/** Chooses a person or an API key among those seen, or by an id that is typed. */
export function PrincipalInput({ id, text, seen, onText, ...described }: PrincipalInputProps) {
  const isSeen = text === "" ? seen.length > 0 : seen.some((who) => who.id === text);
  const [isTyped, setTyped] = useState(!isSeen);
  function choose(value: string): void {
    setTyped(value === OTHER);
    onText(value === OTHER ? "" : value);
  }
  return (
    <>
      <select id={id} value={isTyped ? OTHER : text} onChange={({ target }) => choose(target.value)} {...described}>
        <option value="">{t("Choose…")}</option>
        {seen.map((who) => (
          <option key={`${who.type} ${who.id}`} value={who.id}>
            {who.type === "key" ? t("{name} (API key)", { name: who.name }) : who.name}
          </option>
        ))}
        <option value={OTHER}>{t("Someone else, by id")}</option>
      </select>
      {isTyped && (
        <input
          aria-label={t("Id of the person or API key")}
          placeholder={t("Id of the person or API key")}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => onText(target.value)}
          {...described}
        />
      )}
    </>
  );
}
