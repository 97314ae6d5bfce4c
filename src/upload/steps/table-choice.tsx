// Shows which table of a workbook or an archive is read, and what a person should know of it.

import type { RefObject } from "react";
import { t } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { useServices } from "../../app/services/services.ts";
import * as chipStyles from "../../ui/chip.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { formatBytes } from "../../values/bytes-and-seconds.ts";
import { formatNumber } from "../../values/format.ts";
import { Chip, DialectChips, EncodingEvidence, EncodingQuestion } from "./dialect.tsx";

interface ReadingChipsProps {
  inspection: FileInspection;
  /** The question for the encoding, where there is one. */
  questionRef: RefObject<HTMLDivElement | null>;
}

/** Shows how the file is read, for every kind of file. */
export function ReadingChips({ inspection, questionRef }: ReadingChipsProps) {
  const { container } = inspection;
  const names = container?.kind === "archive" ? container.tables.map(({ name }) => name) : (container?.packed ?? []);
  const entries = names.length > 1 && <EntryChips inspection={inspection} names={names} />;
  if (container?.kind === "workbook")
    return (
      <>
        {entries}
        <SheetChips inspection={inspection} tables={container.tables} />
      </>
    );
  return (
    <>
      {entries}
      <DialectChips inspection={inspection} />
      <EncodingEvidence inspection={inspection} />
      <EncodingQuestion inspection={inspection} noticeRef={questionRef} />
    </>
  );
}

interface SheetsProps {
  inspection: FileInspection;
  tables: readonly { name: string; isHidden: boolean }[];
}

/** With another sheet its heading is found anew. */
function SheetChips({ inspection, tables }: SheetsProps) {
  const { uploadManager } = useServices();
  const { sheet = "", headingLine, entry } = inspection.dialect;
  const within = entry === undefined ? {} : { entry };
  const lines = inspection.firstLines.some(({ line }) => line === headingLine)
    ? inspection.firstLines
    : [...inspection.firstLines, { line: headingLine, text: "" }];
  return (
    <div className={pageStyles.tools}>
      <span className={chipStyles.chip}>
        <bdi>{inspection.fileName}</bdi> <b>{formatBytes(inspection.fileSize)}</b>
      </span>
      <Chip
        label={t("Sheet")}
        value={sheet}
        options={tables.map(({ name, isHidden }) => [name, isHidden ? t("{name} (hidden)", { name }) : name])}
        onChoose={(name) => uploadManager.inspectAgain({ ...within, sheet: name })}
      />
      <Chip
        label={t("Heading")}
        value={headingLine}
        options={[
          ...lines.flatMap(({ line, text }): [number, string][] => (line > 0 ? [[line, rowName(line, text)]] : [])),
          [0, t("none")],
        ]}
        onChoose={(line) => uploadManager.inspectAgain({ ...within, sheet, headingLine: Number(line) })}
      />
    </div>
  );
}

function rowName(line: number, text: string): string {
  const n = formatNumber(line);
  return text === "" ? t("row {n}", { n }) : t("row {n}: {text}", { n, text: text.length > 30 ? `${text.slice(0, 30)}…` : text });
}

function EntryChips({ inspection, names }: { inspection: FileInspection; names: readonly string[] }) {
  const { uploadManager } = useServices();
  const { entry = "" } = inspection.dialect;
  return (
    <div className={pageStyles.tools}>
      <Chip
        label={t("File in the archive")}
        value={entry}
        options={names.map((name) => [name, name])}
        onChoose={(name) => uploadManager.inspectAgain({ entry: name })}
      />
    </div>
  );
}
