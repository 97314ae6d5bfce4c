// How the file is read: chips with what was detected, each to be changed, the reason, and the first rows as they come out.

import { say, toSay } from "../../../../core/i18n/translate.ts";
import type { FileLook } from "../../../../pipeline/inspection/inspect-file.ts";
import { type Choices, type Delimiter, ENCODINGS, type Encoding, type Quote } from "../../../../pipeline/model/dialect.ts";
import { Said } from "../../../components/rich-text.tsx";
import { ScrollArea } from "../../../components/scroll-area.tsx";
import { useDeps } from "../../../context/services.ts";
import { formatBytes } from "../../../fields/amounts.ts";
import { count, formatNumber } from "../../../fields/format.ts";

const ENCODING_NAMES: Record<Encoding, string> = {
  "UTF-8": "UTF-8",
  "UTF-16LE": "UTF-16",
  "UTF-16BE": toSay("UTF-16 (big endian)"),
  "windows-1252": toSay("Windows-1252, Western"),
  "windows-1250": toSay("Windows-1250, Central European"),
  "windows-1251": toSay("Windows-1251, Cyrillic"),
  "windows-1253": toSay("Windows-1253, Greek"),
  "windows-1254": toSay("Windows-1254, Turkish"),
  "ISO-8859-2": toSay("ISO 8859-2, Central European"),
  "ISO-8859-15": toSay("ISO 8859-15, Western"),
  macintosh: toSay("Mac Roman"),
  "KOI8-R": toSay("KOI8-R, Cyrillic"),
  Shift_JIS: toSay("Shift JIS, Japanese"),
  GB18030: toSay("GB 18030, Chinese"),
  Big5: toSay("Big5, Chinese (traditional)"),
  "EUC-KR": toSay("EUC-KR, Korean"),
};
const DELIMITER_NAMES: Record<Delimiter, string> = {
  ",": toSay("comma"),
  ";": toSay("semicolon"),
  "\t": toSay("tab"),
  "|": toSay("bar |"),
};
const QUOTE_NAMES: Record<Quote, string> = { '"': '"', "'": "'", lines: toSay('" within a line'), none: toSay("none") };

export function DialectChips({ look }: { look: FileLook }) {
  const { desk } = useDeps();
  const { encoding, bom, delimiter, quote, headingLine } = look.dialect;
  const choose = (choices: Choices) => desk.lookAgain({ ...desk.state().choices, ...choices });
  const lines = look.firstLines.some(({ line }) => line === headingLine)
    ? look.firstLines
    : [...look.firstLines, { line: headingLine, text: "" }];
  const headings = lines.flatMap(({ line, text }): Option[] =>
    line > 0 ? [[line, text ? say("line {line}: {text}", { line, text: shortened(text) }) : say("line {line}", { line })]] : [],
  );
  return (
    <div className="tools">
      <span className="chip">
        <bdi>{look.fileName}</bdi> <b>{formatBytes(look.fileSize)}</b>
      </span>
      <Chip
        label={say("Encoding")}
        value={encoding}
        options={ENCODINGS.map((each) => [
          each,
          each === encoding && bom ? say("{name} with BOM", { name: say(ENCODING_NAMES[each]) }) : say(ENCODING_NAMES[each]),
        ])}
        onChoose={(next) => choose({ encoding: next as Encoding })}
      />
      <Chip
        label={say("Separator")}
        value={delimiter}
        options={Object.entries(DELIMITER_NAMES).map(([each, name]) => [each, say(name)])}
        onChoose={(next) => choose({ delimiter: next as Delimiter })}
      />
      <Chip
        label={say("Text quote")}
        value={quote}
        options={Object.entries(QUOTE_NAMES).map(([each, name]) => [each, say(name)])}
        onChoose={(next) => choose({ quote: next as Quote })}
      />
      <Chip
        label={say("Heading")}
        value={headingLine}
        options={[...headings, [0, say("none")]]}
        onChoose={(next) => choose({ headingLine: Number(next) })}
      />
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

function Chip({ label, value, options, onChoose }: ChipProps) {
  return (
    <label className="chip">
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

/** Why the encoding was taken, and the first names by which to see whether it was right. */
export function EncodingEvidence({ look }: { look: FileLook }) {
  const name = say(ENCODING_NAMES[look.dialect.encoding]).split(",")[0];
  return (
    <p className="small dim">
      {say("Read as {name}, because {why}.", { name, why: look.why })}
      {look.foreign.length > 0 && (
        <>
          {" "}
          <Said
            text={say("It reads {cells}these names{/cells}. If that looks wrong, choose another encoding.")}
            parts={{ cells: () => <Sampled cells={look.foreign} /> }}
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
      <bdi className="sample">{cell}</bdi>
    </span>
  ));
}

const SHOWN_ROWS = 3;
const SHOWN_COLUMNS = 12;

/** Open where the user should look; a plain file's samples stand beside its columns. */
export function FirstRows({ look }: { look: FileLook }) {
  const { desk } = useDeps();
  const { encoding, headingLine } = look.dialect;
  const isPlain = encoding === "UTF-8" && headingLine === 1 && !look.stray && Object.keys(desk.state().choices).length === 0;
  return (
    <details className="disclosed" open={!isPlain}>
      <summary>{say("First rows")}</summary>
      <FirstRowsTable look={look} />
    </details>
  );
}

function FirstRowsTable({ look }: { look: FileLook }) {
  const { header, samples, dialect } = look;
  const columns = Math.max(header.length, ...samples.map((cells) => cells.length));
  const shown = Array.from({ length: Math.min(columns, SHOWN_COLUMNS) }, (_, i) => i);
  return (
    <ScrollArea label={say("First rows of the file")}>
      <table aria-label={say("First rows")} className="sampled">
        <thead>
          <tr>
            {shown.map((i) => (
              <th key={i} dir="auto">
                {header[i]?.slice(0, 100) || (
                  <span className="dim">{i < header.length ? say("no heading") : say("beyond the heading")}</span>
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
        <p className="small dim">{count(columns - SHOWN_COLUMNS, "And {n} more columns.", "And {n} more columns.")}</p>
      )}
      {dialect.headingLine > 1 && (
        <p className="small dim">{say("What stands above line {line} is left out.", { line: formatNumber(dialect.headingLine) })}</p>
      )}
      {dialect.headingLine === 0 && <p className="small dim">{say("No heading: the first line is a row.")}</p>}
    </ScrollArea>
  );
}
