// For a key that may read and not change: a record as values to read and copy, and what stands in the place of a page that would write.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { shownText, textOf } from "../form/field-text.ts";
import { Notice, PageTitle } from "../ui/pieces.tsx";
import { useListPlace } from "./list-place.ts";

interface RecordValuesProps {
  collection: Collection;
  record: WireRecord;
  /** Someone deleted it meanwhile; it stays in sight. */
  isGone: boolean;
}

export function RecordValues({ collection, record, isGone }: RecordValuesProps) {
  return (
    <div className="form">
      {isGone && <Notice tone="doubt">Someone deleted this {collection.noun} meanwhile. These are its last values.</Notice>}
      <Notice>
        <b>This key may read, not change.</b> To change a {collection.noun}, sign in with a key that may write.
      </Notice>
      <dl className="values">
        {collection.form.map((field) => (
          <Value key={field.name} field={field} text={textOf(field, record[field.name] ?? null)} />
        ))}
      </dl>
      <div className="actions">
        <BackToList collection={collection} />
      </div>
    </div>
  );
}

function Value({ field, text }: { field: Field; text: string }) {
  const shown = shownText(field, text);
  return (
    <div>
      <dt>{field.title}</dt>
      <dd>
        <span dir="auto" className={text === "" ? "dim" : undefined}>
          {shown}
        </span>
        {text !== "" && <Copy what={field.title} text={shown} />}
      </dd>
    </div>
  );
}

/** Nothing where the browser has no clipboard for this page, as without TLS. */
function Copy({ what, text }: { what: string; text: string }) {
  const [became, setBecame] = useState<"" | "Copied" | "Not copied">("");
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setBecame("Copied"),
      () => setBecame("Not copied"),
    );
  return (
    <span className="copy">
      <button type="button" className="button quiet" aria-label={`Copy ${what}`} onClick={copy} onBlur={() => setBecame("")}>
        {became || "Copy"}
      </button>
      <span className="hidden" role="status">
        {became}
      </span>
    </span>
  );
}

/** `title` is the page's that would be here. */
export function MayNotWrite({ collection, title }: { collection: Collection; title: string }) {
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{title}</PageTitle>
      </div>
      <Notice>
        <b>This key may read, not change.</b> To enter {collection.title.toLowerCase()}, sign in with a key that may write.
        <div className="actions">
          <BackToList collection={collection} />
        </div>
      </Notice>
    </main>
  );
}

function BackToList({ collection }: { collection: Collection }) {
  const search = useListPlace(collection.name);
  return (
    <Link className="button" to="/$collection" params={{ collection: collection.name }} search={search}>
      Back to {collection.title.toLowerCase()}
    </Link>
  );
}
