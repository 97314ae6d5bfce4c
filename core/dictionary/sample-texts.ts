// Plausible values for a field, like its example if it has one, for sample files and sample requests.

import { writeItems } from "../text/items.ts";
import type { Field } from "./fields.ts";
import { KIND_TRAITS } from "./kinds.ts";
import type { TextFormat } from "./text-formats.ts";
import { isValue, validateValue } from "./validate.ts";

/** Returns example values that the dictionary accepts, the best first. `row`: from 0; the values of another row differ as far as the field allows. */
export function sampleTexts(field: Field, row: number): string[] {
  const candidates = [...(field.enum ?? []).slice(row % (field.enum?.length ?? 1)).map(String), ...likeField(field, row), field.example];
  return candidates.filter((text) => {
    const validated = text === "" ? null : validateValue(field, text, "text");
    return isValue(validated);
  });
}

function likeField(field: Field, row: number): string[] {
  const { kind, item, format = field.isPerson ? "email" : undefined } = field;
  if (item) return [writeItems([...new Set([0, 1].flatMap((next) => sampleTexts(item, row + next)[0] ?? []))], field.delimiter)];
  return format && format !== "multiline" ? [SAMPLES[format](row + 1)] : KIND_TRAITS[kind].samples(field, row);
}

/** Takes its values from names and numbers that are kept free for examples (RFC 2606; Ofcom for drama). */
const SAMPLES: Record<Exclude<TextFormat, "multiline">, (n: number) => string> = {
  email: (n) => `person${n}@example.com`,
  uri: (n) => `https://example.com/${n}`,
  phone: (n) => `+44 1632 960${String(n % 1000).padStart(3, "0")}`,
};
