// Shows what is proposed for each column of a file, with the reason, to be changed before it becomes a collection.

import { type Dispatch, type SetStateAction, useRef, useState } from "react";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { PROPOSED_SORTS, type ProposedSort } from "../../../pipeline/proposal/propose-field.ts";
import type { ColumnProposal, TableProposal } from "../../../pipeline/proposal/propose-table.ts";
import { type ColumnChange, changedColumns, proposedCollection } from "../../../pipeline/proposal/proposed-resource.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as stackedTableStyles from "../../ui/stacked-table.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { nameFrom as nameOfFile } from "../../upload/recipes/recipe-names.ts";
import { Chip, EncodingQuestion } from "../../upload/steps/dialect.tsx";
import { count, formatNumber } from "../../values/format.ts";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { SORTS } from "./field-kinds.ts";
import type { EditedDraft } from "./use-draft.ts";
import { keepWaiting, waitingFor } from "./waiting-file.ts";

interface ProposedTableProps {
  file: File;
  choices: Choices;
  inspection: FileInspection;
  table: TableProposal;
  edited: EditedDraft;
  /** The file is read again, with these choices. */
  onChoices: (choices: Choices) => void;
}

export function ProposedTable({ file, choices, inspection, table, edited, onChoices }: ProposedTableProps) {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const target = useEditorTarget();
  const question = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState(() => wordsOf(file.name));
  const [changes, setChanges] = useState<Readonly<Record<number, ColumnChange>>>({});
  const [isTried, setTried] = useState(false);
  const columns = changedColumns(table.columns, changes);
  const included = columns.filter(({ isIncluded }) => isIncluded);
  const field = (name: "title" | "noun", label: string, hint: string) => ({
    ...{ id: `file-collection-${name}`, label, hint, dir: "auto", value: words[name] },
    onChange: (value: string) => setWords((before) => ({ ...before, [name]: value })),
    ...(isTried && words[name].trim() === "" && { error: t("Enter a word.") }),
  });
  function add(): void {
    setTried(true);
    const untitled = columns.findIndex(({ isIncluded, title }) => isIncluded && title.trim() === "");
    const wrong = (["title", "noun"] as const).find((name) => words[name].trim() === "");
    const empty = wrong ? `file-collection-${wrong}` : untitled === -1 ? undefined : `column-${untitled}`;
    const isAsking = inspection.plausible.length > 0; // a wrong guess would be stored, and nobody would notice
    if (empty) document.getElementById(empty)?.focus();
    else if (isAsking) question.current?.focus();
    if (empty || isAsking || included.length === 0 || !edited.draft) return;
    const before = waitingFor(uploadManager, edited.draft.id);
    // Whoever comes back from the review with the same file and title means the same collection.
    const isSame = before?.file.name === file.name;
    const isOther = ({ id, name, title }: PackageResource) =>
      !isSame || id !== undefined || name !== before.collection || title !== words.title.trim();
    const made = proposedCollection(words, columns, edited.draft.package.resources.filter(isOther));
    const { name } = made.resource;
    edited.change((all) => ({ ...all, resources: [...all.resources.filter(isOther), made.resource] }));
    const { header } = inspection;
    keepWaiting(uploadManager, {
      draft: edited.draft.id,
      collection: name,
      file,
      choices,
      header,
      columns: made.columns,
      fixes: made.fixes,
    });
    void navigate(target("review", { of: name }));
  }
  return (
    <>
      <Reading inspection={inspection} choices={choices} onChoices={onChoices} />
      <EncodingQuestion inspection={inspection} noticeRef={question} onChoose={(encoding) => onChoices({ ...choices, encoding })} />
      <p>
        {count(table.rowsRead, "{n} row was read.", "{n} rows were read.")}{" "}
        {table.rowsPassed > 0 &&
          count(
            table.rowsPassed,
            "{n} of them looks like no data, such as a total, and says nothing about the columns.",
            "{n} of them look like no data, such as totals, and say nothing about the columns.",
          )}
      </p>
      <div className={styles.words}>
        <TextField {...field("title", t("Title"), t("What several of them are called, such as “Vehicles”."))} />
        <TextField {...field("noun", t("One of them"), t("In a sentence, such as “customer” in “New customer”."))} />
      </div>
      <ScrollArea label={t("Proposed fields")}>
        <table className={stackedTableStyles.stacked} aria-label={t("Proposed fields")}>
          <thead>
            <tr>
              <th>{t("Field")}</th>
              <th>{t("Kind")}</th>
              <th>{t("Why")}</th>
              <th>{t("Values")}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <Row key={at} at={at} column={column} proposed={table.columns[at]?.sort} isTried={isTried} setChanges={setChanges} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {included.every(({ isKey, sort }) => !isKey || sort !== "integer") && (
        <p className={textStyles.note}>{t("No column can be the key, so the service gives each record a number.")}</p>
      )}
      {included.length === 0 && <Notice tone="wrong">{t("Take over at least one column.")}</Notice>}
      <div className={pageStyles.tools}>
        <button type="button" className={buttonStyles.primary} aria-disabled={included.length === 0} onClick={add}>
          {t("Add collection and review")}
        </button>
        <span className={textStyles.note}>{t("Once it is applied, the same file goes on into the upload.")}</span>
      </div>
    </>
  );
}

/** Chooses which part of the file is read: the sheet, the packed file, and the line of the heading. */
function Reading({ inspection, choices, onChoices }: Pick<ProposedTableProps, "inspection" | "choices" | "onChoices">) {
  const { container, dialect, firstLines } = inspection;
  const { sheet = "", entry = "", headingLine } = dialect;
  const packed = container?.kind === "archive" ? container.tables.map(({ name }) => name) : (container?.packed ?? []);
  const sheets = container?.kind === "workbook" ? container.tables : [];
  const lines = firstLines.some(({ line }) => line === headingLine) ? firstLines : [...firstLines, { line: headingLine, text: "" }];
  const lineName = ({ line, text }: { line: number; text: string }) =>
    t("row {n}: {text}", { n: formatNumber(line), text: text.slice(0, 30) });
  return (
    <div className={pageStyles.tools}>
      {packed.length > 1 && (
        <Chip
          label={t("File in the archive")}
          value={entry}
          options={packed.map((name) => [name, name])}
          onChoose={(name) => onChoices({ entry: name })}
        />
      )}
      {sheets.length > 1 && (
        <Chip
          label={t("Sheet")}
          value={sheet}
          options={sheets.map(({ name, isHidden }) => [name, isHidden ? t("{name} (hidden)", { name }) : name])}
          onChoose={(name) => onChoices({ ...(choices.entry !== undefined && { entry: choices.entry }), sheet: name })}
        />
      )}
      {dialect.keys === undefined && (
        <Chip
          label={t("Heading")}
          value={headingLine}
          options={[...lines.filter(({ line }) => line > 0).map((one): [number, string] => [one.line, lineName(one)]), [0, t("none")]]}
          onChoose={(line) => onChoices({ ...choices, headingLine: Number(line) })}
        />
      )}
    </div>
  );
}

interface RowProps {
  at: number;
  column: ColumnProposal;
  proposed: ProposedSort | undefined;
  isTried: boolean;
  setChanges: Dispatch<SetStateAction<Readonly<Record<number, ColumnChange>>>>;
}

function Row({ at, column, proposed, isTried, setChanges }: RowProps) {
  const { heading, title, name, sort, isIncluded, evidence, samples } = column;
  const called = heading || title;
  const change = (more: ColumnChange) => setChanges((before) => ({ ...before, [at]: { ...before[at], ...more } }));
  // Only a proposed list has values.
  const sorts = PROPOSED_SORTS.filter((one) => one !== "choice" || proposed === "choice");
  const isWrong = isTried && isIncluded && title.trim() === "";
  return (
    <tr data-out={!isIncluded || undefined}>
      <td className={tableStyles.wrap}>
        <div className={styles.proposed}>
          <input
            type="checkbox"
            aria-label={t("Take over {heading}", { heading: called })}
            checked={isIncluded}
            onChange={({ target }) => change({ isIncluded: target.checked })}
          />
          <input
            id={`column-${at}`}
            aria-label={t("Title of {heading}", { heading: called })}
            aria-invalid={isWrong}
            dir="auto"
            disabled={!isIncluded}
            value={title}
            onChange={({ target }) => change({ title: target.value })}
          />
          <code>{name}</code>
        </div>
      </td>
      <td data-title={t("Kind")}>
        <select
          className={styles.kind}
          aria-label={t("Kind of {heading}", { heading: called })}
          disabled={!isIncluded}
          value={sort}
          onChange={({ target }) => change({ sort: target.value as ProposedSort })}
        >
          {sorts.map((one) => (
            <option key={one} value={one}>
              {t(SORTS[one]?.title ?? "")}
            </option>
          ))}
        </select>
      </td>
      <td className={tableStyles.wrap} data-title={t("Why")}>
        {evidence.join(" ")}
      </td>
      <td className={tableStyles.wrap} data-title={t("Values")}>
        <bdi className={textStyles.dim}>{samples.map((text) => text.slice(0, 30)).join(" · ")}</bdi>
      </td>
    </tr>
  );
}

/** Returns a title from the name of the file, and the word for one of them where English tells it. */
function wordsOf(fileName: string): { title: string; noun: string } {
  const stem = nameOfFile(fileName)
    .replace(/[-_.]+/g, " ")
    .trim();
  const title = stem.charAt(0).toUpperCase() + stem.slice(1);
  const plural = /(\p{L}+)$/u.exec(stem.toLowerCase())?.[1] ?? "";
  const one = /(?:[^s]s)$/.test(plural) ? plural.replace(/ies$/, "y").replace(/s$/, "") : "";
  return { title, noun: one || t("entry") };
}
