// Parses the JSON of a layout and checks it against the dictionary.

import type { Collection, Mistake } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { closest } from "../../../core/text/similarity.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import type { FixedLayout, Layout } from "../layout.ts";
import { collectionsOf, selectDetail } from "../select-detail.ts";
import { checkDelimited, checkFixed } from "./check-layout.ts";
import { checkShape } from "./json-schema.ts";

export type ReadLayout = { layout: Layout; collection: Collection } | { mistakes: Mistake[] };

/** `mode` decides which fields are required. Never throws. */
export function readLayout(text: string, collections: readonly Collection[], mode: UploadMode = "create"): ReadLayout {
  const input = parseJson(text);
  if (input instanceof SyntaxError) return wrong("", `is not JSON: ${input.message}`);
  if (!isObject(input)) return wrong("", 'must be an object, such as { "kind": "fixed", … }');
  const { kind } = input;
  if (kind !== "fixed" && kind !== "delimited") return wrong("/kind", 'must be "fixed" or "delimited"');
  const mistakes = checkShape(input, kind);
  if (mistakes.length > 0) return { mistakes };
  const layout = input as unknown as Layout;
  const collection = collections.find(({ name }) => name === layout.collection);
  if (!collection) return wrong("/collection", unknownCollection(layout.collection, collections));
  const deeper =
    layout.kind === "fixed"
      ? [...checkFixed(layout, collection, mode), ...checkOthers(layout, collections, mode)]
      : checkDelimited(layout, collection, mode);
  return deeper.length > 0 ? { mistakes: deeper } : { layout, collection };
}

/** Each other kind of detail record is checked as if it were the layout's own. */
function checkOthers(layout: FixedLayout, collections: readonly Collection[], mode: UploadMode): Mistake[] {
  const names = collectionsOf(layout);
  return (layout.otherDetails ?? []).flatMap(({ collection: name }, i): Mistake[] => {
    const path = `/otherDetails/${i}`;
    const first = names.indexOf(name);
    const [collection, chosen] = [collections.find((each) => each.name === name), selectDetail(layout, name)];
    if (!collection || !chosen) return [{ path: `${path}/collection`, message: unknownCollection(name, collections) }];
    if (first !== i + 1)
      return [{ path: `${path}/collection`, message: `${name} has ${first === 0 ? "/detail" : `/otherDetails/${first - 1}`} already` }];
    return checkFixed(chosen, collection, mode).flatMap((mistake) => {
      const own = /^\/(detail|action)(\/.*)?$/.exec(mistake.path);
      if (!own) return []; // of the whole layout, and reported once
      return [{ ...mistake, path: `${path}${own[1] === "action" ? "/action" : ""}${own[2] ?? ""}` }];
    });
  });
}

/** One line for each mistake: "/detail/fields/2/start: must be 1 or more". */
export function reportMistakes(mistakes: readonly Mistake[]): string[] {
  return mistakes.map(({ path, message }) => `${path || "/"}: ${message}`);
}

function wrong(path: string, message: string): { mistakes: Mistake[] } {
  return { mistakes: [{ path, message }] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return error as SyntaxError;
  }
}

function unknownCollection(name: string, collections: readonly Collection[]): string {
  const names = collections.map((collection) => collection.name);
  const meant = closest(name, names);
  return `there is no collection "${name}"; ${meant ? `did you mean "${meant}"?` : `there are ${names.join(", ")}`}`;
}
