import { expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { collectionOf } from "../../testing/fields.ts";
import { nameTexts } from "./create-parent.tsx";

const text = (name: string) => ({ name, type: "string" });
const labelled = (...names: string[]): Pick<Collection, "label"> => ({ label: collectionOf(names.map(text)).fields.slice(1) });

test.each([
  ["one part", labelled("name"), "Bäckerei Ångström", { name: "Bäckerei Ångström" }],
  ["two parts", labelled("first", "last"), "Zoë van Hoff", { first: "Zoë van", last: "Hoff" }],
  ["two parts and one word", labelled("first", "last"), "Hoff", { last: "Hoff" }],
  ["nothing typed", labelled("first", "last"), " ", {}],
  ["a name that is not text", { label: collectionOf([{ name: "size", type: "integer" }]).fields.slice(1) }, "7", {}],
])("what was searched for begins the name of the new record: %s", (_, collection, typed, texts) => {
  expect(nameTexts(collection, typed)).toEqual(texts);
});
