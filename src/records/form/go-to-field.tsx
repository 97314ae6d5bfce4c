// Goes to a field of the form by its name (ARIA APG, combobox with a listbox). Its code comes with the first use.

import { type KeyboardEvent, useState } from "react";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Modal } from "../../ui/modal.tsx";
import * as textStyles from "../../ui/text.module.css";
import { findLike } from "../../values/find-like.ts";
import * as styles from "./go-to-field.module.css";

export interface GoToFieldProps {
  fields: readonly Field[];
  /** Undefined: the focus goes back to where it was. */
  onClose: (chosen: Field | undefined) => void;
}

/** The name of the field that was gone to last: it is offered first, because one record after the other often needs the same change. */
let lastChosen: string | undefined;

export function GoToField({ fields, onClose }: GoToFieldProps) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const last = fields.find(({ name }) => name === lastChosen);
  const offered = typed === "" && last ? [last, ...fields.filter((one) => one !== last)] : fields;
  const found = findLike(typed.trim(), offered, ({ title, name }) => `${title} ${name}`);

  function choose(field: Field | undefined): void {
    if (!field) return;
    lastChosen = field.name;
    onClose(field);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") choose(found[at]);
    else if (event.key === "ArrowDown") setAt((at + 1) % Math.max(1, found.length));
    else if (event.key === "ArrowUp") setAt((at || found.length) - 1);
    else return;
    event.preventDefault();
  }

  return (
    <Modal label={t("Go to a field")} className={styles.fields} onClose={() => onClose(undefined)}>
      <input
        type="text"
        role="combobox"
        aria-label={t("Go to a field")}
        aria-expanded={found.length > 0}
        aria-controls="go-to-field"
        aria-autocomplete="list"
        aria-activedescendant={found[at] && `go-to-${found[at].name}`}
        placeholder={t("Name of a field")}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: a dialog's first field takes the focus
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id="go-to-field" aria-label={t("Fields")} hidden={found.length === 0}>
        {found.map((field, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the input, which hears the keys
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant says which one is active
          <div
            role="option"
            key={field.name}
            id={`go-to-${field.name}`}
            aria-selected={i === at}
            ref={i === at ? (option) => option?.scrollIntoView({ block: "nearest" }) : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(field)}
          >
            <bdi>{field.title}</bdi>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={textStyles.dim}>{t("No results.")}</p>}
    </Modal>
  );
}
