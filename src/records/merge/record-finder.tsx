// Finds one more record to merge, as people search.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { idOf } from "../../service/records.ts";
import { possibleDuplicatesQuery } from "../../service/related-records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { useDebounced } from "../../ui/use-debounced.ts";
import { detailOf } from "../../values/record-detail.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import * as styles from "./merge-page.module.css";

interface RecordFinderProps {
  collection: Collection;
  /** Lists those that are there already. */
  records: readonly WireRecord[];
  /** Nothing can be merged yet: the search has the page to itself. */
  isFirst: boolean;
  onPick: (id: number) => void;
}

const PAUSE_MS = 250;

export function RecordFinder({ collection, records, isFirst, onPick }: RecordFinderProps) {
  const { client } = useServices();
  const [typed, setTyped] = useState("");
  const q = useDebounced(typed.trim(), PAUSE_MS, "");
  const { data = [], isSuccess } = useQuery({ ...possibleDuplicatesQuery(client, collection, q), enabled: q !== "" });
  const known = new Set(records.map((record) => idOf(collection, record)));
  const found = q === "" ? [] : data.filter((record) => !known.has(idOf(collection, record)));
  const [first] = records;
  const label =
    first && isFirst ? t("Merge {name} with", { name: nameOf(collection, first) }) : t("Add another {noun}", nounsOf(collection));
  return (
    <search className={styles.finder}>
      <label htmlFor="merge-with">{label}</label>
      <input
        id="merge-with"
        type="search"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: whoever comes from a record is here to search
        autoFocus={isFirst}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {found.length > 0 && (
        <ul>
          {found.map((record) => (
            <li key={idOf(collection, record)}>
              <button
                type="button"
                className={buttonStyles.quiet}
                onClick={() => {
                  setTyped("");
                  onPick(idOf(collection, record));
                }}
              >
                <bdi>{nameOf(collection, record)}</bdi> <span className={textStyles.dim}>{detailOf(collection, record)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isSuccess && q !== "" && found.length === 0 && (
        <p className={textStyles.dim} role="status">
          {t("Nothing matches.")}
        </p>
      )}
    </search>
  );
}
