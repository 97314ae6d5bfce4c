// Saves the list as a CSV file or a workbook: all matching rows, streamed to the disk.

import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { openDownload } from "../../app/services/download.ts";
import { useServices } from "../../app/services/services.ts";
import { downloadCsv } from "../../service/bulk.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { createRowCounter } from "../query/count-csv-rows.ts";
import { type ListState, matchQuery, shownColumns } from "../query/list-url.ts";

const ANNOUNCE_EVERY_MS = 250;

interface ExportPanelProps {
  collection: Collection;
  state: ListState;
  onDone: () => void;
}

export function ExportPanel({ collection, state, onDone }: ExportPanelProps) {
  const { client, toasts } = useServices();
  const [rows, setRows] = useState<number>();
  const [wrong, setWrong] = useState<string>();
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const columns = shownColumns(collection, state.columns);
  const isKeyless = !columns.includes(collection.key);
  const parents = columns.flatMap(({ reference }) => reference?.as ?? []).join(",");
  const fields = [...(isKeyless ? [collection.key] : []), ...columns].map(({ name }) => name).join(",");

  async function save(type: "csv" | "xlsx"): Promise<void> {
    const abort = new AbortController();
    control.current = abort;
    setWrong(undefined);
    const name = `${collection.name}.${type}`;
    try {
      const target = await openDownload(name);
      if (!target) return;
      setRows(0);
      const query = {
        ...matchQuery(collection, state),
        sort: state.sort ?? collection.key.name,
        fields,
        ...(parents && { expand: parents }),
      };
      const counted = countRows(setRows);
      const csv = (await downloadCsv(client, collection, query, abort.signal)).pipeThrough(counted.through);
      await (type === "csv" ? csv : await asWorkbook(csv, collection)).pipeTo(target, { signal: abort.signal });
      toasts.show({ message: count(counted.rows(), "{n} row saved in {name}.", "{n} rows saved in {name}.", { name }) });
      onDone();
    } catch (error) {
      if (!abort.signal.aborted) setWrong(`${(error as Error).message} ${t("The file is incomplete.")}`);
    }
    setRows(undefined);
  }

  return (
    <div className={panelStyles.content}>
      <p className={textStyles.small}>
        {/* They go by key, because records that change during the export would move in the default order and be missed. */}
        {state.sort
          ? t("All matching rows, in this order, with these columns.")
          : t("All matching rows, ordered by {key}, with these columns.", { key: collection.key.title })}{" "}
        {isKeyless && t("{key} is added, so that the file can be uploaded again.", { key: collection.key.title })}{" "}
        {t("Cells that look like formulas are made safe for spreadsheets.")}
      </p>
      {wrong && <Notice tone="wrong">{wrong}</Notice>}
      {rows === undefined ? (
        <span className={formStyles.withAction}>
          <button type="button" className={buttonStyles.primary} onClick={() => save("csv")}>
            {t("Save as CSV")}
          </button>
          <button type="button" onClick={() => save("xlsx")}>
            {t("Save as Excel")}
          </button>
        </span>
      ) : (
        <span className={formStyles.withAction}>
          <span className={textStyles.small} role="status">
            {count(rows, "{n} row so far", "{n} rows so far")}
          </span>
          <button type="button" onClick={() => control.current?.abort()}>
            {t("Stop")}
          </button>
        </span>
      )}
    </div>
  );
}

/** Numbers become numbers, everything else is text, also whole numbers of which Excel would round the last digits. The converter is a script of its own. */
async function asWorkbook(csv: ReadableStream<Uint8Array<ArrayBuffer>>, { title, fields }: Collection) {
  const { csvToXlsx } = await import("../../../pipeline/containers/csv-to-xlsx.ts");
  const numbers = new Set(fields.filter(({ kind, isBig }) => KIND_TRAITS[kind].isAmount && !isBig).map(({ name }) => name));
  return csvToXlsx(csv, { name: title, numbers });
}

/** Counts the rows that pass through, and reports at most four times a second. */
function countRows(onRows: (rows: number) => void) {
  const counter = createRowCounter();
  let reportedAt = 0;
  const through = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      counter.add(bytes);
      controller.enqueue(bytes);
      if (performance.now() - reportedAt < ANNOUNCE_EVERY_MS) return;
      reportedAt = performance.now();
      onRows(counter.rows());
    },
  });
  return { through, rows: counter.rows };
}
