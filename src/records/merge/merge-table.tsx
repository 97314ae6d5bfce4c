// A column for each record, and a row for each field of which one value is chosen.

import { useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as textStyles from "../../ui/text.module.css";
import { textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { formatRelativeTime } from "../../values/format.ts";
import { nameOf } from "../../values/record-name.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import * as styles from "./merge-page.module.css";
import { differs, mergedFields, type Pick, type Picks, pickedValue } from "./merge-values.ts";

interface MergeTableProps {
  collection: Collection;
  records: readonly WireRecord[];
  survivor: number;
  picks: Picks;
  errors: readonly { pointer?: string }[];
  onSurvivor: (id: number) => void;
  onPick: (field: string, pick: Pick) => void;
  onLeaveOut: ((id: number) => void) | undefined;
}

export function MergeTable({ collection, records, survivor, picks, errors, onSurvivor, onPick, onLeaveOut }: MergeTableProps) {
  const [isAll, setAll] = useState(false);
  const fields = mergedFields(collection);
  const differing = fields.filter((field) => differs(field, records));
  const same = fields.length - differing.length;
  const shown = isAll ? [...differing, ...fields.filter((field) => !differing.includes(field))] : differing;
  const isWrong = ({ name }: Field) => errors.some(({ pointer }) => pointer?.split("/").at(-1) === name);
  const hasLists = differing.some(({ item }) => item);
  return (
    <>
      <ScrollArea label={t("Values to choose from")}>
        <table className={styles.table} aria-label={t("Values to choose from")} data-many={records.length > 3 || undefined}>
          <thead>
            <tr>
              <th>{t("Field")}</th>
              {records.map((record) => (
                <Heading
                  key={idOf(collection, record)}
                  {...{ collection, record }}
                  isStaying={idOf(collection, record) === survivor}
                  onLeaveOut={onLeaveOut}
                />
              ))}
              {hasLists && <th>{t("Together")}</th>}
            </tr>
          </thead>
          <tbody>
            <tr className={styles.survivor}>
              <th scope="row">{t("This one stays")}</th>
              {records.map((record) => {
                const id = idOf(collection, record);
                const name = nameOf(collection, record);
                return (
                  <td key={id} data-picked={id === survivor || undefined}>
                    <label>
                      <input type="radio" name="survivor" checked={id === survivor} onChange={() => onSurvivor(id)} />
                      <span>
                        <bdi className={styles.whose}>{name}</bdi> <small>{`${collection.key.title} ${id}`}</small>
                      </span>
                    </label>
                  </td>
                );
              })}
              {hasLists && <td className={styles.none} />}
            </tr>
            {shown.map((field) => (
              <Row
                key={field.name}
                {...{ collection, field, records, onPick, hasLists }}
                pick={picks[field.name]}
                isWrong={isWrong(field)}
                isSame={!differing.includes(field)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {differing.length === 0 && <p className={textStyles.dim}>{t("Their values are the same.")}</p>}
      {same > 0 && (
        <button type="button" className={`${buttonStyles.link} ${styles.all}`} aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? t("Show only what differs") : tCount(same, "Show the field that is the same", "Show {n} more fields that are the same")}
        </button>
      )}
    </>
  );
}

interface HeadingProps {
  collection: Collection;
  record: WireRecord;
  isStaying: boolean;
  onLeaveOut: ((id: number) => void) | undefined;
}

function Heading({ collection, record, isStaying, onLeaveOut }: HeadingProps) {
  const id = idOf(collection, record);
  const name = nameOf(collection, record);
  return (
    <th scope="col" data-picked={isStaying || undefined}>
      <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
        <bdi>{name}</bdi>
      </Link>
      <small>{t("Changed {when}", { when: formatRelativeTime(record.updatedAt) })}</small>
      {onLeaveOut && (
        <button type="button" className={buttonStyles.link} onClick={() => onLeaveOut(id)}>
          {t("Leave out")} <span className={textStyles.hidden}>{name}</span>
        </button>
      )}
    </th>
  );
}

interface RowProps {
  collection: Collection;
  field: Field;
  records: readonly WireRecord[];
  pick: Pick | undefined;
  isWrong: boolean;
  isSame: boolean;
  hasLists: boolean;
  onPick: (field: string, pick: Pick) => void;
}

function Row({ collection, field, records, pick, isWrong, isSame, hasLists, onPick }: RowProps) {
  const { name } = field;
  const choice = (own: Pick, whose: string, text: string) => (
    <label>
      <input
        type="radio"
        name={`value-${name}`}
        checked={own === pick}
        aria-invalid={isWrong || undefined}
        onChange={() => onPick(name, own)}
      />
      <span>
        <small className={styles.whose}>{whose}</small> <ShownText field={field} text={text} />
      </span>
    </label>
  );
  return (
    <tr data-wrong={isWrong || undefined}>
      <th scope="row">{field.title}</th>
      {isSame && records[0] ? (
        <td colSpan={records.length} className={styles.same}>
          <ShownText field={field} text={textOf(field, fieldValue(records[0], field))} />
        </td>
      ) : (
        records.map((record) => {
          const id = idOf(collection, record);
          return (
            <td key={id} data-picked={id === pick || undefined}>
              {choice(id, nameOf(collection, record), textOf(field, fieldValue(record, field)))}
            </td>
          );
        })
      )}
      {hasLists &&
        (field.item && !isSame ? (
          <td data-picked={pick === "all" || undefined}>
            {choice("all", t("Together"), textOf(field, pickedValue(collection, field, records, "all")))}
          </td>
        ) : (
          <td className={styles.none} />
        ))}
    </tr>
  );
}
