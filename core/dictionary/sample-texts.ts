// Plausible values for a field, like its example if it has one, for sample files and sample requests.

import type { Field } from "./fields.ts";
import { KINDS, textOfValue } from "./kinds.ts";
import type { TextFormat } from "./text-formats.ts";
import { validateValue } from "./validate.ts";

const [DAY, HOUR] = [86_400_000, 3_600_000]; // ms

/** Example values that the dictionary accepts, the best first. `row`: from 0; the values of another row differ as far as the field allows. */
export function sampleTexts(field: Field, row: number): string[] {
  const candidates = [...(field.enum ?? []).slice(row % (field.enum?.length ?? 1)).map(String), ...likeExample(field, row), field.example];
  return candidates.filter((text) => {
    const validated = text === "" ? null : validateValue(field, text, "text");
    return validated !== null && typeof validated !== "object";
  });
}

function likeExample({ kind, title, example, minimum, maximum, format }: Field, row: number): string[] {
  if (format && format !== "multiline") return [SAMPLES[format](row + 1)];
  switch (kind) {
    case "string":
      return [...(row === 0 ? [example] : [`${example} ${row + 1}`]), `${title} ${row + 1}`, LETTERS[row % LETTERS.length] as string];
    case "integer":
    case "number":
    case "decimal":
      return [String(Number(example || (minimum ?? 1)) + row), String(Number(minimum ?? 1) + row), String(maximum ?? "")];
    case "boolean":
      return [String(row % 2 === 0)];
    case "date":
      return [new Date(Date.parse(example || "2026-01-31") + row * DAY).toISOString().slice(0, 10)];
    case "datetime":
      return [new Date(Date.parse(example || "2026-01-31T08:30:00Z") + row * DAY).toISOString()];
    case "time":
      return [new Date(Date.parse(`2026-01-31T${KINDS.time.fromText(example) ?? "08:30:00"}Z`) + row * HOUR).toISOString().slice(11, 19)];
    case "year":
      return [textOfValue("year", Number(example || (minimum ?? 2026)) + row)];
  }
}

/** Takes its values from names and numbers that are kept free for examples (RFC 2606; Ofcom for drama). */
const SAMPLES: Record<Exclude<TextFormat, "multiline">, (n: number) => string> = {
  email: (n) => `person${n}@example.com`,
  uri: (n) => `https://example.com/${n}`,
  phone: (n) => `+44 1632 960${String(n % 1000).padStart(3, "0")}`,
};

const LETTERS = "ABCDEFGHIJ"; // for fields too short for their example
