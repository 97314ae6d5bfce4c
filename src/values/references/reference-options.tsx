// The records that a picker offers, above everything else on the page.

import type { RefObject } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { idOf } from "../../service/records.ts";
import { Announce } from "../../ui/announce.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "../picker.module.css";
import { type Option, OptionList } from "../picker.tsx";
import { detailOf } from "../record-detail.ts";
import { countOf, nameOf } from "../record-name.ts";
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

export function ReferenceOptions({ parent, found, input, typed, canCreate, ...list }: ReferenceOptionsProps) {
  const { records, isSearching, error } = found;
  const options: Option[] = records.map((record) => ({
    key: idOf(parent, record),
    content: (
      <>
        <bdi>{nameOf(parent, record)}</bdi>
        <bdi className={textStyles.dim}>{detailOf(parent, record)}</bdi>
      </>
    ),
  }));
  const words = typed ? t("New {noun} “{name}”…", { noun: parent.noun, name: typed }) : t("New {noun}…", { noun: parent.noun });
  if (canCreate) options.push({ key: "new", content: <span>{words}</span>, className: styles.create });
  return (
    <OptionList {...list} label={parent.title} anchor={input} options={options}>
      {error && <p className={textStyles.error}>{t("Records cannot be searched now. {why}", { why: error.message })}</p>}
      {!error && records.length === 0 && <p className={textStyles.dim}>{isSearching ? t("Searching…") : t("No results.")}</p>}
      <Announce text={isSearching ? "" : countOf(parent, records.length)} />
    </OptionList>
  );
}
