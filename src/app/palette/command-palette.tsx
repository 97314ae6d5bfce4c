// One input that opens any page, finds any record and runs any action of the page (ARIA APG, combobox with a listbox).

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { Announce } from "../../ui/announce.tsx";
import { keyName } from "../../ui/keyboard/key-name.ts";
import { Modal, type OverlayProps } from "../../ui/modal.tsx";
import { Icon } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import * as styles from "./command-palette.module.css";
import { type PaletteOption, usePaletteOptions } from "./palette-options.ts";

export function CommandPalette({ onClose }: OverlayProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const { options, isSearching, error, late } = usePaletteOptions(typed);
  const lateTitles = late.map(({ title }) => title).join(", ");
  // The active option stays active while records arrive below it. When it is gone, the first one takes its place.
  const chosenAt = options.findIndex(({ id }) => id === chosen);
  const at = chosenAt === -1 ? options.findIndex(({ isRisky }) => !isRisky) : chosenAt;
  const active = options[at];
  const step = (by: number) => setChosen(options.at((Math.max(at, by < 0 ? 0 : -1) + by) % options.length)?.id);

  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    if (key === "ArrowDown") step(1);
    else if (key === "ArrowUp") step(-1);
    else if (key === "Enter") active && onClose(active.run);
    else if (key.toLowerCase() === "k" && (ctrlKey || metaKey)) onClose();
    else return;
    event.preventDefault();
  }

  return (
    <Modal label={t("Find or go to")} className={styles.palette} onClose={() => onClose()}>
      <input
        type="text"
        role="combobox"
        aria-label={t("Find or go to")}
        aria-expanded={options.length > 0}
        aria-controls="palette-options"
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(at)}
        placeholder={t("Search pages, records and actions")}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: a dialog's first field takes the focus
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <Options options={options} at={at} onPoint={setChosen} onRun={(option) => onClose(option.run)} />
      {error && <p className={textStyles.error}>{t("Records cannot be searched now. {why}", { why: error.message })}</p>}
      {!isSearching && lateTitles && (
        <p className={textStyles.dim} role="status">
          {t("Looking through {collections} took too long. Type more of what you look for.", { collections: lateTitles })}
        </p>
      )}
      {!error && !lateTitles && options.length === 0 && (
        <p className={textStyles.dim}>{isSearching ? t("Searching…") : t("No results.")}</p>
      )}
      <Announce text={isSearching ? "" : count(options.length, "{n} result", "{n} results")} />
    </Modal>
  );
}

interface OptionsProps {
  options: PaletteOption[];
  at: number;
  onPoint: (id: string) => void;
  onRun: (option: PaletteOption) => void;
}

function Options({ options, at, onPoint, onRun }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const groups = [...new Set(options.map(({ group }) => group))];
  const active = options[at]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is active, and is to be seen
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div role="listbox" id="palette-options" aria-label={t("Results")} ref={list} hidden={options.length === 0}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div role="group" aria-label={group} key={group}>
          <div className={styles.group} aria-hidden="true">
            {group}
          </div>
          {options.map((option, i) => {
            const { id, icon, label, detail, key } = option;
            if (option.group !== group) return null;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the input, which hears the keys
              // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant says which one is active
              <div
                role="option"
                key={id}
                id={optionId(i)}
                aria-selected={i === at}
                onMouseMove={() => i === at || onPoint(id)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onRun(option)}
              >
                <Icon of={icon} />
                <bdi title={label}>{label}</bdi>
                {detail && (
                  <bdi className={textStyles.dim} title={detail}>
                    {detail}
                  </bdi>
                )}
                {key && <kbd>{keyName(key)}</kbd>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function optionId(at: number): string {
  return `palette-option-${at}`;
}
