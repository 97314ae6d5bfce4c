// Two records side by side, field by field. What differs is marked.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { idOf } from "../../service/records.ts";
import * as textStyles from "../../ui/text.module.css";
import { textOf } from "../../values/field-text.ts";
import { fieldValue } from "../../values/field-value.ts";
import { formatDatetime } from "../../values/format.ts";
import { nameOf } from "../../values/record-name.ts";
import { ShownText } from "../../values/references/shown-text.tsx";
import * as styles from "./duplicates-page.module.css";

export function PairTable({ collection, records }: { collection: Collection; records: readonly [WireRecord, WireRecord] }) {
  const fields = [collection.key, ...collection.form.filter((field) => field !== collection.key)];
  const shown = fields.filter((field) => records.some((record) => textOf(field, fieldValue(record, field)) !== ""));
  return (
    <table className={styles.table} aria-label={t("The two records")}>
      <thead>
        <tr>
          <td />
          {records.map((record) => (
            <th scope="col" key={idOf(collection, record)}>
              <Link to="/$collection/$id" params={{ collection: collection.name, id: String(idOf(collection, record)) }}>
                <bdi>{nameOf(collection, record)}</bdi>
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((field) => (
          <FieldRow key={field.name} field={field} records={records} isKey={field === collection.key} />
        ))}
        <tr>
          <th scope="row">{t("Changed")}</th>
          {records.map((record) => (
            <td key={idOf(collection, record)} className={textStyles.dim}>
              {formatDatetime(record.updatedAt)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** The keys of two records always differ, so that is not marked. */
function FieldRow({ field, records, isKey }: { field: Field; records: readonly [WireRecord, WireRecord]; isKey: boolean }) {
  const [one, other] = records.map((record) => textOf(field, fieldValue(record, field))) as [string, string];
  const differs = !isKey && one !== other;
  return (
    <tr data-differs={differs || undefined}>
      <th scope="row">
        {field.title}
        {differs && <span className={textStyles.hidden}> {t("(differs)")}</span>}
      </th>
      {[one, other].map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the two sides keep their places
        <td key={i} dir="auto">
          {text === "" ? <span className={textStyles.dim}>–</span> : <ShownText field={field} text={text} />}
        </td>
      ))}
    </tr>
  );
}
