// Shows how the file is read: what was detected, as chips to change, why, and the first rows.

import { type RefObject, useState } from "react";
import { message, t } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import {
  type Choices,
  type Delimiter,
  type Dialect,
  ENCODINGS,
  type Encoding,
  isDelimiter,
  type Quote,
  type UsualDelimiter,
} from "../../../pipeline/model/dialect.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { RichText } from "../../ui/rich-text.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../../values/bytes-and-seconds.ts";
import { count, formatNumber } from "../../values/format.ts";
import * as styles from "./columns-step.module.css";

const ENCODING_NAMES: Record<Encoding, string> = {
  "UTF-8": "UTF-8",
  "UTF-16LE": "UTF-16",
  "UTF-16BE": message("UTF-16 (big endian)"),
  "windows-1252": message("Windows-1252, Western"),
  "windows-1250": message("Windows-1250, Central European"),
  "windows-1251": message("Windows-1251, Cyrillic"),
  "windows-1253": message("Windows-1253, Greek"),
  "windows-1254": message("Windows-1254, Turkish"),
  "windows-1255": message("Windows-1255, Hebrew"),
  "windows-1256": message("Windows-1256, Arabic"),
  "windows-1257": message("Windows-1257, Baltic"),
  "windows-874": message("Windows-874, Thai"),
  "ISO-8859-2": message("ISO 8859-2, Central European"),
  "ISO-8859-15": message("ISO 8859-15, Western"),
  macintosh: message("Mac Roman"),
  "KOI8-R": message("KOI8-R, Cyrillic"),
  Shift_JIS: message("Shift JIS, Japanese"),
  GB18030: message("GB 18030, Chinese"),
  Big5: message("Big5, Chinese (traditional)"),
  "EUC-KR": message("EUC-KR, Korean"),
  IBM850: message("IBM 850, Western (DOS)"),
  IBM852: message("IBM 852, Central European (DOS)"),
};
const DELIMITER_NAMES: Record<UsualDelimiter, string> = {
  ",": message("comma"),
  ";": message("semicolon"),
  "\t": message("tab"),
  "|": message("bar |"),
};
const QUOTE_NAMES: Record<Quote, string> = {
  '"': '"',
  "'": "'",
  lines: message('" within a line'),
  backslash: message('" with \\" within'),
  wrapped: message('" for whole lines'),
  none: message("none"),
};

export function DialectChips({ inspection }: { inspection: FileInspection }) {
  const { uploadManager } = useServices();
  const { encoding, bom, delimiter, quote, headingLine, keys } = inspection.dialect;
  const choose = (choices: Choices) => uploadManager.inspectAgain({ ...uploadManager.state().choices, ...choices });
  const file = (
    <span className={chipStyles.chip}>
      <bdi>{inspection.fileName}</bdi> <b>{formatBytes(inspection.fileSize)}</b>
    </span>
  );
  const encodingChip = (
    <Chip
      label={t("Encoding")}
      value={encoding}
      options={ENCODINGS.map((each) => [
        each,
        each === encoding && bom ? t("{name} with BOM", { name: t(ENCODING_NAMES[each]) }) : t(ENCODING_NAMES[each]),
      ])}
      onChoose={(next) => choose({ encoding: next as Encoding })}
    />
  );
  if (keys)
    return (
      <div className={pageStyles.tools}>
        {file}
        {encodingChip} <span className={chipStyles.chip}>{t("JSON Lines: each line is a record")}</span>
      </div>
    );
  const lines = inspection.firstLines.some(({ line }) => line === headingLine)
    ? inspection.firstLines
    : [...inspection.firstLines, { line: headingLine, text: "" }];
  const headings = lines.flatMap(({ line, text }): Option[] =>
    line > 0 ? [[line, text ? t("line {line}: {text}", { line, text: shortened(text) }) : t("line {line}", { line })]] : [],
  );
  return (
    <div className={pageStyles.tools}>
      {file}
      {encodingChip}
      <SeparatorChip delimiter={delimiter} onChoose={(next) => choose({ delimiter: next })} />
      <Chip
        label={t("Text quote")}
        value={quote}
        options={Object.entries(QUOTE_NAMES).map(([each, name]) => [each, t(name)])}
        onChoose={(next) => choose({ quote: next as Quote })}
      />
      <Chip
        label={t("Heading")}
        value={headingLine}
        options={[...headings, [0, t("none")]]}
        onChoose={(next) => choose({ headingLine: Number(next) })}
      />
    </div>
  );
}

const OTHER = "other"; // no delimiter: it is a value of the list alone

/** With “Other…” a field comes up, in which up to eight characters are typed. */
function SeparatorChip({ delimiter, onChoose }: { delimiter: Delimiter; onChoose: (delimiter: Delimiter) => void }) {
  const [typed, setTyped] = useState<string>();
  const known = delimitersWith(delimiter).map(([each, name]): Option => [each, t(name)]);
  const isUsable = isDelimiter(typed);
  return (
    <>
      <Chip
        label={t("Separator")}
        value={typed === undefined ? delimiter : OTHER}
        options={[...known, [OTHER, t("Other…")]]}
        onChoose={(next) => {
          setTyped(next === OTHER ? "" : undefined);
          if (next !== OTHER) onChoose(next);
        }}
      />
      {typed !== undefined && (
        <form
          className={chipStyles.chip}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isUsable) return;
            setTyped(undefined);
            onChoose(typed);
          }}
        >
          <label>
            {t("Characters between the cells")}{" "}
            <input value={typed} maxLength={8} autoComplete="off" spellCheck={false} onChange={({ target }) => setTyped(target.value)} />
          </label>
          <button type="submit" className={buttonStyles.link} disabled={!isUsable}>
            {t("Use")}
          </button>
          {typed !== "" && !isUsable && <span role="alert">{t("Quotation marks cannot separate cells.")}</span>}
        </form>
      )}
    </>
  );
}

/** Lists the usual ones, the rarer ones, and the one in use. */
function delimitersWith(delimiter: Delimiter): Option[] {
  const known: Record<string, string> = {
    ...DELIMITER_NAMES,
    " ": message("space"),
    "#": "#",
    ":": ":",
    "^": "^",
    "~": "~",
    "||": "||",
    "::": "::",
  };
  return Object.entries(delimiter in known ? known : { ...known, [delimiter]: delimiter });
}

interface EncodingQuestionProps {
  /** Is called instead of reading the upload that is open again. */
  onChoose?: (encoding: Encoding) => void;
  inspection: FileInspection;
  /** The notice, which takes the focus when the file is to be checked without an answer. */
  noticeRef: RefObject<HTMLDivElement | null>;
}

/** Several encodings fit, and only a person can see which is right. */
export function EncodingQuestion({ inspection: { plausible }, noticeRef, onChoose }: EncodingQuestionProps) {
  const { uploadManager } = useServices();
  const choose = onChoose ?? ((encoding) => uploadManager.inspectAgain({ ...uploadManager.state().choices, encoding }));
  if (plausible.length === 0) return null;
  return (
    <div className={noticeStyles.notice} data-tone="doubt" role="status" tabIndex={-1} ref={noticeRef}>
      <b>{t("In which encoding was this file saved?")}</b> {t("Choose the one in which these words are right.")}
      <div className={noticeStyles.actions}>
        {plausible.map(({ encoding, sample }) => (
          <button type="button" key={encoding} onClick={() => choose(encoding)}>
            {t(ENCODING_NAMES[encoding])}: <bdi>{sample.slice(0, 60)}</bdi>
          </button>
        ))}
      </div>
    </div>
  );
}

type Option = readonly [value: string | number, name: string];

interface ChipProps {
  label: string;
  value: string | number;
  options: readonly Option[];
  onChoose: (value: string) => void;
}

export function Chip({ label, value, options, onChoose }: ChipProps) {
  return (
    <label className={chipStyles.chip}>
      {label}
      <select value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function shortened(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30)}…` : text;
}

/** Says why the encoding was chosen, and shows sample cells to verify it. */
export function EncodingEvidence({ inspection }: { inspection: FileInspection }) {
  const name = t(ENCODING_NAMES[inspection.dialect.encoding]).split(",")[0];
  return (
    <p className={textStyles.note}>
      {t("Read as {name}, because {why}.", { name, why: inspection.why })}
      {inspection.dialect.quote === "wrapped" && ` ${t("Every line stands in quotation marks; it is read as the cells that it holds.")}`}
      {inspection.foreign.length > 0 && (
        <>
          {" "}
          <RichText
            text={t("Sample: {cells}these names{/cells}. If that looks wrong, choose another encoding.")}
            parts={{ cells: () => <Sampled cells={inspection.foreign} /> }}
          />
        </>
      )}
    </p>
  );
}

function Sampled({ cells }: { cells: readonly string[] }) {
  return cells.map((cell, i) => (
    <span key={cell}>
      {i > 0 && " · "}
      <bdi className={styles.sample}>{cell}</bdi>
    </span>
  ));
}

const SHOWN_ROWS = 3;
const SHOWN_COLUMNS = 12;

/** Is closed for a plain file, whose samples are shown beside its columns. */
export function FirstRows({ inspection }: { inspection: FileInspection }) {
  const { uploadManager } = useServices();
  const { encoding, headingLine } = inspection.dialect;
  const isPlain =
    encoding === "UTF-8" && headingLine === 1 && !inspection.strayQuotes && Object.keys(uploadManager.state().choices).length === 0;
  return (
    <details className={styles.folded} open={!isPlain}>
      <summary>{t("First rows")}</summary>
      <FirstRowsTable inspection={inspection} />
    </details>
  );
}

/** What a text file calls a line is a row in a spreadsheet. */
function HeadingNote({ dialect: { headingLine, sheet } }: { dialect: Dialect }) {
  const isSheet = sheet !== undefined;
  if (headingLine === 1) return null;
  if (headingLine === 0)
    return (
      <p className={textStyles.note}>
        {isSheet ? t("No heading: the first row has values already.") : t("No heading: the first line has values already.")}
      </p>
    );
  const line = formatNumber(headingLine);
  return (
    <p className={textStyles.note}>
      {isSheet ? t("Rows above row {line} are left out.", { line }) : t("Lines above line {line} are left out.", { line })}
    </p>
  );
}

function FirstRowsTable({ inspection }: { inspection: FileInspection }) {
  const { header, samples, dialect } = inspection;
  const columns = Math.max(header.length, ...samples.map((cells) => cells.length));
  const shown = Array.from({ length: Math.min(columns, SHOWN_COLUMNS) }, (_, i) => i);
  return (
    <ScrollArea label={t("First rows of the file")}>
      <table aria-label={t("First rows")}>
        <thead>
          <tr>
            {shown.map((i) => (
              <th key={i} dir="auto">
                {header[i]?.slice(0, 100) || (
                  <span className={textStyles.dim}>{i < header.length ? t("no heading") : t("extra column")}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {samples.slice(0, SHOWN_ROWS).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; rows may be alike
            <tr key={row}>
              {shown.map((i) => (
                <td key={i} dir="auto">
                  {(cells[i] ?? "").slice(0, 200).replace(/\r\n?|\n/g, " ↵ ")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columns > SHOWN_COLUMNS && (
        <p className={textStyles.note}>{count(columns - SHOWN_COLUMNS, "And {n} more column.", "And {n} more columns.")}</p>
      )}
      <HeadingNote dialect={dialect} />
    </ScrollArea>
  );
}
