// The records that a picker offers, above everything else on the page.

import { type RefObject, useEffect, useRef } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { idOf } from "../../service/records.ts";
import { Announce } from "../../ui/announce.tsx";
import { usePlaceBelow } from "../../ui/place-below.ts";
import * as textStyles from "../../ui/text.module.css";
import { detailOf } from "../record-detail.ts";
import { countOf, nameOf } from "../record-name.ts";
import * as styles from "./reference-input.module.css";
import type { Found } from "./use-found.ts";

interface ReferenceOptionsProps {
  parent: Collection;
  found: Found;
  /** Says which one is active; the last one makes a new record. */
  at: number;
  /** The id of the listbox. */
  list: string;
  input: RefObject<HTMLInputElement | null>;
  isOpen: boolean;
  typed: string;
  canCreate: boolean;
  onPoint: (at: number) => void;
  onChoose: (at: number) => void;
}

export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

export function ReferenceOptions({ parent, found, at, list, input, isOpen, typed, canCreate, onPoint, onChoose }: ReferenceOptionsProps) {
  const box = useRef<HTMLDivElement>(null);
  usePlaceBelow(box, input, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is active, and is to be seen
  useEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const { records, isSearching, error } = found;
  const option = (index: number) => ({
    role: "option",
    id: optionId(list, index),
    "aria-selected": index === at,
    onMouseMove: () => index === at || onPoint(index),
    onClick: () => onChoose(index),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus stays in the input, also for who scrolls the list
    <div popover="manual" ref={box} className={styles.options} onMouseDown={(event) => event.preventDefault()}>
      {isOpen && (
        <>
          <div role="listbox" id={list} aria-label={parent.title} hidden={records.length === 0 && !canCreate}>
            {records.map((record, i) => (
              <div key={idOf(parent, record)} {...option(i)}>
                <bdi>{nameOf(parent, record)}</bdi>
                <bdi className={textStyles.dim}>{detailOf(parent, record)}</bdi>
              </div>
            ))}
            {canCreate && (
              <div {...option(records.length)} className={styles.create}>
                <span>
                  {typed ? t("New {noun} “{name}”…", { noun: parent.noun, name: typed }) : t("New {noun}…", { noun: parent.noun })}
                </span>
              </div>
            )}
          </div>
          {error && <p className={textStyles.error}>{t("Records cannot be searched now. {why}", { why: error.message })}</p>}
          {!error && records.length === 0 && <p className={textStyles.dim}>{isSearching ? t("Searching…") : t("No results.")}</p>}
          <Announce text={isSearching ? "" : countOf(parent, records.length)} />
        </>
      )}
    </div>
  );
}
