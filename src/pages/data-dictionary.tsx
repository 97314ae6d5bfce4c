// The data dictionary for people: fields, kinds, rules and examples of a collection, and its template file.

import { useParams } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { Kind } from "../../dictionary/kinds.ts";
import { formatNumber } from "../ui/format.ts";
import { Failure, PageTitle, ScrollArea } from "../ui/pieces.tsx";
import { useCollection } from "./deps.ts";
import { NotFound } from "./not-found.tsx";
import { useTemplate } from "./template.ts";

const KIND_WORDS: Record<Kind, string> = {
  string: "Text",
  integer: "Whole number",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
  datetime: "Date and time",
};

export function DictionaryPage() {
  const { collection: name } = useParams({ strict: false });
  const collection = useCollection(name);
  return collection ? <DictionaryOf key={collection.name} collection={collection} /> : <NotFound />;
}

function DictionaryOf({ collection }: { collection: Collection }) {
  const template = useTemplate(collection);
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{`${collection.title}: data dictionary`}</PageTitle>
        <button type="button" className="button" onClick={template.download}>
          Download template
        </button>
      </div>
      {template.error && <Failure error={template.error} />}
      <p className="prose">
        {collection.description} A file to upload has one line for each {collection.noun} and, in its first line, the names below; the order
        does not matter.
      </p>
      <ScrollArea label="All fields">
        <table className="described" aria-label="Fields">
          <thead>
            <tr>
              <th>Field</th>
              <th>Name in files</th>
              <th>Kind</th>
              <th>Rules</th>
              <th>Example</th>
            </tr>
          </thead>
          <tbody>
            {collection.fields.map((field) => (
              <tr key={field.name}>
                <td className="wrap">
                  <b>{field.title}</b>
                  {field.description && <div className="hint">{field.description}</div>}
                </td>
                <td data-title="Name in files">
                  <code>{field.name}</code>
                </td>
                <td data-title="Kind">{KIND_WORDS[field.kind]}</td>
                <td className="wrap" data-title="Rules">
                  {rulesOf(collection, field).join(" · ")}
                </td>
                <td data-title="Example">
                  <bdi>{field.example}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </main>
  );
}

function rulesOf(collection: Collection, field: Field): string[] {
  const { minLength = 0, maxLength, minimum, maximum } = field;
  const rules = [field.required ? "required" : "optional"];
  if (field === collection.key) rules.push("given by the service when empty");
  if (field.unique) rules.push("no two alike");
  if (minLength > 1) rules.push(`at least ${minLength} characters`);
  if (maxLength !== undefined) rules.push(`up to ${maxLength} characters`);
  if (field !== collection.key && minimum !== undefined) rules.push(`${amount(minimum)} or more`);
  if (field !== collection.key && maximum !== undefined) rules.push(`${amount(maximum)} or less`);
  if (field.pattern) rules.push(`has the form ${field.pattern.source.slice(4, -2)}`); // without the ^(?: … )$ around it
  if (field.enum) rules.push(`one of ${field.enum.join(", ")}`);
  return rules;
}

function amount(value: string | number | boolean): string {
  return typeof value === "number" ? formatNumber(value) : String(value);
}
