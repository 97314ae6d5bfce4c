// The record before and the one after: in the order of the list that the user came from, or else of the key.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { type Beside, besideQuery, pageBefore, pageWith } from "../api/around.ts";
import { idOf, listQuery } from "../api/records.ts";
import { useDeps } from "./deps.ts";

export function BesideLinks({ collection, id }: { collection: Collection; id: number }) {
  const { previous, next } = useBeside(collection, id);
  useBesideKeys(collection, { previous, next });
  return (
    <nav className="beside" aria-label="Records beside this one">
      <Step collection={collection} id={previous} word="Previous" sign="↑" />
      <Step collection={collection} id={next} word="Next" sign="↓" />
    </nav>
  );
}

function Step({ collection, id, word, sign }: { collection: Collection; id: number | undefined; word: string; sign: string }) {
  const label = `${word} ${collection.noun}`;
  if (id === undefined) {
    return (
      <button type="button" className="button quiet" aria-label={label} disabled>
        {sign}
      </button>
    );
  }
  const params = { collection: collection.name, id: String(id) };
  const keys = { title: `${label} (Alt+${sign})`, "aria-keyshortcuts": `Alt+Arrow${word === "Next" ? "Down" : "Up"}` };
  return (
    <Link className="button quiet" to="/$collection/$id" params={params} aria-label={label} {...keys}>
      {sign}
    </Link>
  );
}

/** The page of the list as it was read: what is saved meanwhile does not move the record away from under the user. */
function useBeside(collection: Collection, id: number): Beside {
  const { client } = useDeps();
  const queries = useQueryClient();
  const [from] = useState(() => pageWith(queries, collection, id));
  const ids = from?.page.records.map((record) => idOf(collection, record)) ?? [];
  const at = ids.indexOf(id);
  const following = { ...from?.asked, cursor: from?.page.next ?? "" };
  const { data: page } = useQuery({ ...listQuery(client, collection, following), enabled: at === ids.length - 1 && !!from?.page.next });
  // Looked at from here, the page stays in the cache for as long as someone goes through it.
  useQuery({ ...listQuery(client, collection, from?.asked ?? {}), enabled: false });
  const { data: byKey } = useQuery({ ...besideQuery(client, collection, id), enabled: !from });
  if (!from) return byKey ?? { previous: undefined, next: undefined };
  const first = at === ids.length - 1 && from.page.next ? page?.records[0] : undefined;
  const last = at === 0 ? pageBefore(queries, collection, from.asked)?.records.at(-1) : undefined;
  return { previous: ids[at - 1] ?? (last && idOf(collection, last)), next: ids[at + 1] ?? (first && idOf(collection, first)) };
}

/** Alt with an arrow, also from inside a text field; a list of choices and a calendar open by it and keep it. */
function useBesideKeys(collection: Collection, { previous, next }: Beside): void {
  const navigate = useNavigate();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector("dialog[open]")) return;
      if (event.target instanceof Element && event.target.closest("select, input[type=date], input[type=datetime-local]")) return;
      const id = { ArrowUp: previous, ArrowDown: next }[event.key];
      if (id === undefined) return;
      event.preventDefault();
      navigate({ to: "/$collection/$id", params: { collection: collection.name, id: String(id) } });
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [collection, previous, next, navigate]);
}
