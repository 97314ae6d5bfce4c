// The values by which no parent is stored, and what each is to mean. A choice counts at once.

import { useEffect, useId, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { MissingValue, ParentGroup } from "../../../pipeline/parents/parent-groups.ts";
import { useServices } from "../../app/services/services.ts";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatNumber } from "../../values/format.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import { ReferenceInput } from "../../values/references/reference-input.tsx";
import { useParent } from "../../values/references/use-parent.ts";
import * as styles from "./problems.module.css";

export interface ParentsTableProps {
  collection: Collection;
  parent: Collection;
  group: ParentGroup;
  /** Changes whenever the values may have changed. */
  revision: number;
}

const FIRST = 50;

export function ParentsTable({ collection, parent, group, revision }: ParentsTableProps) {
  const [shown, setShown] = useState(FIRST);
  const { values, total } = useMissingValues(group.field, shown, revision);
  const title = t("Values of {title}", { title: group.title });
  if (values.length === 0) return null;
  return (
    <section className={`${styles.values} ${styles.parents}`} aria-label={title}>
      <h3>
        {title} <small className={textStyles.note}>{count(total, "{n} value is not there", "{n} values are not there")}</small>
      </h3>
      <ScrollArea label={title}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th>{t("In the file")}</th>
              <th className={tableStyles.number}>{t("Rows")}</th>
              <th>{t("Becomes")}</th>
            </tr>
          </thead>
          <tbody>
            {values.map((value) => (
              <tr key={value.text}>
                <td className={tableStyles.wrap}>
                  <bdi>{value.text.slice(0, 200)}</bdi>
                </td>
                <td className={tableStyles.number}>{formatNumber(value.rows)}</td>
                <td className={tableStyles.wrap}>
                  <ParentChoice collection={collection} parent={parent} group={group} value={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {total > values.length && (
        <div className={styles.apply}>
          <button type="button" onClick={() => setShown(shown * 4)}>
            {t("Show more values")}
          </button>
        </div>
      )}
    </section>
  );
}

function useMissingValues(field: string, shown: number, revision: number): { values: readonly MissingValue[]; total: number } {
  const { uploadManager } = useServices();
  const [found, setFound] = useState<{ values: readonly MissingValue[]; total: number }>({ values: [], total: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision has other values
  useEffect(() => {
    let isWanted = true;
    uploadManager.query({ for: "parents", field, from: 0, to: shown }).then((answer) => isWanted && setFound(answer));
    return () => {
      isWanted = false;
    };
  }, [field, shown, revision, uploadManager]);
  return found;
}

type Picked = "open" | "new" | "out" | "near" | "mapped" | "other";

interface ParentChoiceProps extends Pick<ParentsTableProps, "collection" | "parent" | "group"> {
  value: MissingValue;
}

function ParentChoice({ collection, parent, group, value }: ParentChoiceProps) {
  const { uploadManager } = useServices();
  const id = useId();
  const [isPicking, setPicking] = useState(false);
  const [typed, setTyped] = useState("");
  const { text, to, near, refused } = value;
  const { name } = useParent(parent, typeof to === "number" ? String(to) : "");
  const isNear = near !== undefined && to === near.key;
  const picked: Picked = isPicking
    ? "other"
    : to === undefined
      ? "open"
      : to === null
        ? "out"
        : to === "new"
          ? "new"
          : isNear
            ? "near"
            : "mapped";
  const decide = (next: typeof to) => uploadManager.act({ do: "parents", field: group.field, values: [{ from: text, to: next }] });
  function pick(next: string): void {
    setPicking(next === "other");
    if (next === "other" || next === "mapped") return;
    decide(next === "new" ? "new" : next === "out" ? null : next === "near" ? near?.key : undefined);
  }
  const nouns = nounsOf(parent);
  const reference = collection.byName.get(collection.lookups.get(group.field)?.fills ?? group.field);
  return (
    <span className={styles.becomes}>
      <select
        aria-label={t("What “{value}” becomes", { value: text })}
        value={picked}
        data-proposed={to !== undefined || undefined}
        onChange={({ target }) => pick(target.value)}
      >
        <option value="open">{t("is not there: its rows are refused")}</option>
        {(group.mayCreate || to === "new") && <option value="new">{t("is created")}</option>}
        {near && (
          <option value="near">{t("means {name} ({value})", { name: nameOf(parent, near.record), value: String(near.value) })}</option>
        )}
        {typeof to === "number" && !isNear && <option value="mapped">{t("means {name}", { name: name ?? String(to) })}</option>}
        <option value="out">{t("leave its rows out")}</option>
        <option value="other">{t("means another {noun} …", nouns)}</option>
      </select>
      {isPicking && reference && (
        <ReferenceInput
          field={reference}
          id={id}
          aria-label={t("What “{value}” means", { value: text })}
          text={typed}
          onText={setTyped}
          onChoose={(key) => {
            setPicking(false);
            setTyped("");
            decide(Number(key));
          }}
        />
      )}
      {near && to === undefined && <span className={textStyles.note}>{t("similar")}</span>}
      {refused !== undefined && to === "new" && <span className={textStyles.note}>{refused}</span>}
    </span>
  );
}
