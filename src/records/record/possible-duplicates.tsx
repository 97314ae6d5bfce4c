// Links to stored records that may be the one that is being typed. The user may go on.

import { useQuery } from "@tanstack/react-query";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { comparedFields, type Match } from "../../../core/dictionary/match.ts";
import { reasonWords } from "../../../core/dictionary/reason-words.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { similarQuery } from "../../service/duplicates.ts";
import { idOf } from "../../service/records.ts";
import { possibleDuplicatesQuery } from "../../service/related-records.ts";
import * as textStyles from "../../ui/text.module.css";
import { useDebounced } from "../../ui/use-debounced.ts";
import { type Texts, textOf, textToValidate } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { detailOf } from "../../values/record-detail.ts";
import { countOf, nameOf } from "../../values/record-name.ts";
import * as styles from "./possible-duplicates.module.css";

const PAUSE_MS = 400;
const MIN_CHARACTERS = 3; // fewer match half of all records

export function PossibleDuplicates({ collection, texts }: { collection: Collection; texts: Texts }) {
  const data = useSimilar(collection, texts);
  const twin = data.find(({ record }) => isTwin(collection, record, texts));
  const shown = twin ? [twin] : data;
  return (
    <div className={styles.duplicates} role="status">
      {shown.length > 0 && (
        <>
          <span>
            {twin ? <b>{t("The same {noun} is stored already:", { noun: collection.noun })}</b> : t("Possible duplicates:")}{" "}
            <span className={textStyles.hidden}>{countOf(collection, shown.length)}</span>
          </span>
          <ul>
            {shown.map(({ record, why }) => (
              <li key={idOf(collection, record)}>
                <Link to="/$collection/$id" params={{ collection: collection.name, id: String(idOf(collection, record)) }}>
                  <bdi>{nameOf(collection, record)}</bdi>
                </Link>{" "}
                <span className={textStyles.dim}>{[detailOf(collection, record), why].filter(Boolean).join(" · ")}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface Similar {
  record: WireRecord;
  /** Says why it is like what is typed; empty where that is not known. */
  why: string;
}

/** Searches by what the dictionary compares; where that finds nothing, as while a name is half typed, by the beginnings of its words. */
function useSimilar(collection: Collection, texts: Texts): Similar[] {
  const { client } = useServices();
  const { match } = collection;
  const values = useDebounced(match ? comparedValues(collection, match, texts) : "", PAUSE_MS, "");
  const compared = useQuery({ ...similarQuery(client, collection, values), enabled: values !== "" });
  const found = values === "" ? [] : (compared.data ?? []);
  const q = useDebounced(searchWordsOf(collection, texts), PAUSE_MS, "");
  const isEnough = q.length >= MIN_CHARACTERS && found.length === 0 && !compared.isFetching;
  const byWords = useQuery({ ...possibleDuplicatesQuery(client, collection, q), enabled: isEnough });
  if (found.length === 0) return isEnough ? (byWords.data ?? []).map((record) => ({ record, why: "" })) : [];
  return found.map(({ record, reasons }) => ({
    record,
    why: reasons
      .filter(({ found }) => found !== "different")
      .map((reason) => reasonWords(collection, reason))
      .join(" · "),
  }));
}

/** Returns the typed values that are compared, as JSON; empty while there are none. */
function comparedValues(collection: Collection, match: Match, texts: Texts): string {
  const values = comparedFields(match).flatMap((name) => {
    const field = collection.byName.get(name);
    const text = texts[name]?.trim() ?? "";
    return field && text !== "" ? [[name, textToValidate(field, text)] as const] : [];
  });
  return values.length > 0 ? JSON.stringify(Object.fromEntries(values)) : "";
}

/** Every field of the form, apart from the key, has the value that is typed. */
function isTwin(collection: Collection, record: WireRecord, texts: Texts): boolean {
  const fields = collection.form.filter((field) => field !== collection.key);
  return fields.every((field) => {
    const [stored, typed] = [textOf(field, fieldValue(record, field)), (texts[field.name] ?? "").trim()];
    return stored === typed || textToValidate(field, stored) === textToValidate(field, typed);
  });
}

/** Returns "" while a required part of the name is missing, because half a name matches too many records. */
function searchWordsOf(collection: Collection, texts: Texts): string {
  if (collection.label.some((field) => field.required && !texts[field.name]?.trim())) return "";
  return collection.label
    .map((field) => texts[field.name]?.trim() ?? "")
    .join(" ")
    .trim();
}
