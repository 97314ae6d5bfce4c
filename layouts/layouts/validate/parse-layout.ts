// Parses the JSON of a layout and checks it against the dictionary.

import Ajv, { type DefinedError, type ValidateFunction } from "ajv/dist/2020.js";
import type { Collection, Mistake } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { wordMistakes } from "../../../core/text/schema-mistakes.ts";
import { closest } from "../../../core/text/similarity.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import schema from "../layout.schema.json" with { type: "json" };
import type { FixedLayout, ItemRecords, Layout } from "../layout.ts";
import { withCurrentFields } from "../renamed-layout.ts";
import { collectionsOf, detailsOf, selectDetail } from "../select-detail.ts";
import { isInFirstItem, ownerField } from "../variable-table.ts";
import { bytes, checkDelimited, checkFixed } from "./check-layout.ts";

/** `renamed`: a sentence about fields that it calls as they were called before. */
export type ReadLayout = { layout: Layout; collection: Collection; renamed?: string } | { mistakes: Mistake[] };

/** `mode` decides which fields are required. Never throws. */
export function readLayout(text: string, collections: readonly Collection[], mode: UploadMode = "create"): ReadLayout {
  const input = parseJson(text);
  if (input instanceof SyntaxError) return wrong("", `is not JSON: ${input.message}`);
  if (!isObject(input)) return wrong("", 'must be an object, such as { "kind": "fixed", … }');
  const { kind } = input;
  if (kind !== "fixed" && kind !== "delimited") return wrong("/kind", 'must be "fixed" or "delimited"');
  if (/^(recfm=)?u$/i.test(String(input.recordFormat))) return wrong("/recordFormat", UNDEFINED_LENGTH);
  const mistakes = checkShape(input, kind);
  if (mistakes.length > 0) return { mistakes };
  const { layout, renamed } = withCurrentFields(input as unknown as Layout, collections);
  const collection = collections.find(({ name }) => name === layout.collection);
  if (!collection) return wrong("/collection", unknownCollection(layout.collection, collections));
  const deeper =
    layout.kind === "fixed"
      ? [...checkFixed(layout, collection, mode), ...checkOthers(layout, collections, mode), ...checkChildren(layout, collections, mode)]
      : checkDelimited(layout, collection, mode);
  return deeper.length > 0 ? { mistakes: deeper } : { layout, collection, ...(renamed !== undefined && { renamed }) };
}

/** RECFM=U: only the disk of the mainframe knows how long each block is (z/OS DFSMS, “Undefined-length record format”). */
const UNDEFINED_LENGTH =
  'no layout can say it: a file of RECFM=U says nowhere how long its records are. Let its sender copy it to RECFM=VB, transfer that with its record descriptor words and say "rdw"; where all are equally long, leave recordFormat out';

/** Each other kind of detail record is checked as if it were the layout's own. */
function checkOthers(layout: FixedLayout, collections: readonly Collection[], mode: UploadMode): Mistake[] {
  const names = detailsOf(layout).map(({ collection }) => collection);
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

/** The items of each table are checked as if they were the layout's own details. */
function checkChildren(layout: FixedLayout, collections: readonly Collection[], mode: UploadMode): Mistake[] {
  const names = collectionsOf(layout);
  return detailsOf(layout).flatMap((detail, d) =>
    (detail.children ?? []).flatMap((table, i): Mistake[] => {
      const path = `${d === 0 ? "/detail" : `/otherDetails/${d - 1}`}/children/${i}`;
      const { collection: name } = table;
      const [collection, chosen] = [collections.find((each) => each.name === name), selectDetail(layout, name)];
      if (!collection || !chosen) return [{ path: `${path}/collection`, message: unknownCollection(name, collections) }];
      if (names.indexOf(name) !== names.lastIndexOf(name))
        return [{ path: `${path}/collection`, message: `${name} has records elsewhere in this layout` }];
      if (detail.action)
        return [{ path, message: "cannot be combined with an action: what becomes of the items of a changed record would not be known" }];
      // Where records are only updated, their items are replaced all the same: some are new, and others have no key.
      const ofFields = checkFixed(chosen, collection, mode === "update" ? "upsert" : mode).filter((mistake) =>
        mistake.path.startsWith("/detail/fields"),
      );
      const own = ofFields.map((mistake) => ({ ...mistake, path: path + mistake.path.slice("/detail".length) }));
      return [
        ...own,
        ...checkTableOf(layout, { ...table, owner: detail.collection }, collection, mode).map((mistake) => ({
          ...mistake,
          path: path + mistake.path,
        })),
      ];
    }),
  );
}

function checkTableOf({ recordLength }: FixedLayout, table: ItemRecords, collection: Collection, mode: UploadMode): Mistake[] {
  const { start, length, max, fields, presentBy, key } = table;
  const end = start + length * max - 1;
  const mistakes: Mistake[] = end > recordLength ? [{ path: "", message: `ends at byte ${end}, but a record has ${recordLength}` }] : [];
  for (const [i, field] of fields.entries()) {
    const [from, to] = [field.start ?? 0, (field.start ?? 0) + (field.length ?? 0) - 1];
    const isOutside = to < start || from > end;
    if (field.start === undefined || isInFirstItem(table, field) || isOutside) continue;
    const item = bytes({ start, length });
    mistakes.push({
      path: `/fields/${i}`,
      message: `${field.name} must have its place in the first item (${item}) or outside of the table`,
    });
  }
  if (fields.every((field) => !isInFirstItem(table, field)))
    mistakes.push({ path: "/fields", message: "has no field within the first item, so that all items would be the same" });
  if (mode !== "create" && !ownerField(table, collection))
    mistakes.push({
      path: "/fields",
      message:
        "has no field outside of the table that says which record the items belong to, so that they would be stored once more with each file",
    });
  for (const [path, wanted] of Object.entries({ presentBy, key }))
    if (wanted !== undefined && !fields.some(({ name, skip }) => name === wanted && !skip))
      mistakes.push({ path: `/${path}`, message: `"${wanted}" is none of its fields` });
  return mistakes;
}

/** Returns one line for each mistake: "/detail/fields/2/start: must be 1 or more". */
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

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).addSchema(schema, "layout");

/** Paths are JSON pointers (RFC 6901). The schema of one kind gives clearer messages than the whole schema with its `oneOf`. */
function checkShape(input: unknown, kind: "fixed" | "delimited"): Mistake[] {
  const validate = ajv.getSchema(`layout#/$defs/${kind}`) as ValidateFunction; // compiled once
  return validate(input) ? [] : wordMistakes(validate.errors as DefinedError[]);
}
