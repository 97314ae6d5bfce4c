// Above the list: the search as one types, the filters as chips, the panels for columns, views and export; on a phone the order, and these panels behind one button.

import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { say } from "../../dictionary/words.ts";
import { askableFields, DEFAULT_SORT, type Filter, type ListState } from "../list/address.ts";
import { filterWords } from "../list/filter-words.ts";
import { useFocusReturn } from "../ui/focus-return.ts";
import { PanelButton } from "../ui/panel.tsx";
import { display } from "./display.ts";
import { lazyPart } from "./lazy-page.tsx";
import { UploadLink } from "./list-nothing.tsx";
import type { Go } from "./list-state.ts";

const FilterEditor = lazyPart(() => import("./filter-editor.tsx"), "FilterEditor");
const ColumnsPanel = lazyPart(() => import("./columns-panel.tsx"), "ColumnsPanel");
const ViewsPanel = lazyPart(() => import("./views-panel.tsx"), "ViewsPanel");
const ExportPanel = lazyPart(() => import("./export-panel.tsx"), "ExportPanel");

interface ListToolsProps {
  collection: Collection;
  state: ListState;
  go: Go;
  searchBox: RefObject<HTMLInputElement | null>;
  /** An answer is on its way. */
  isBusy: boolean;
  mayWrite: boolean;
}

export function ListTools({ collection, state, go, searchBox, isBusy, mayWrite }: ListToolsProps) {
  const parts = { collection, state, go };
  const moreId = useId();
  const more = useRef<HTMLDivElement>(null);
  const closeMore = () => more.current?.hidePopover(); // does nothing where they stand in the open
  return (
    <search className="list-tools">
      <SearchBox
        key={collection.name}
        list={collection.name}
        query={state.q}
        input={searchBox}
        onSearch={(q) => go({ q }, state.q !== "")}
      />
      <PanelButton label={say("Filter")} title={say("Add a filter")} onNear={FilterEditor.preload}>
        {(close) => <FilterEditor {...parts} onDone={close} />}
      </PanelButton>
      <SortBy {...parts} />
      <button type="button" className="button quiet more" popoverTarget={moreId}>
        {say("More")}
      </button>
      <div className="group-end list-more" popover="auto" id={moreId} ref={more}>
        <PanelButton label={say("Views")} title={say("Views")} align="end" onNear={ViewsPanel.preload}>
          {(close) => (
            <ViewsPanel
              {...parts}
              onDone={() => {
                close();
                closeMore();
              }}
            />
          )}
        </PanelButton>
        <PanelButton label={say("Columns")} title={say("Columns")} align="end" onNear={ColumnsPanel.preload}>
          {() => <ColumnsPanel {...parts} />}
        </PanelButton>
        <PanelButton label={say("Export")} title={say("Export")} align="end" onNear={ExportPanel.preload}>
          {() => <ExportPanel {...parts} onSaved={closeMore} />}
        </PanelButton>
        {mayWrite && <UploadLink collection={collection} />}
      </div>
      {state.filters.length > 0 && <Chips {...parts} />}
      {isBusy && <Slow />}
    </search>
  );
}

type Parts = Pick<ListToolsProps, "collection" | "state" | "go">;

function Chips(parts: Parts) {
  const { state, go } = parts;
  return (
    <ul className="chips" aria-label={say("Filters")}>
      {state.filters.map((filter) => (
        <Chip key={`${filter.name} ${filter.operator}`} filter={filter} {...parts} />
      ))}
      <li>
        <button type="button" className="link small dim" onClick={() => go({ q: "", filters: [] })}>
          {say("Clear filters")}
        </button>
      </li>
    </ul>
  );
}

function Chip({ collection, state, go, filter }: Parts & { filter: Filter }) {
  useFocusReturn("input[type=search]");
  const { title, says } = filterWords(collection, filter, display);
  const label = (
    <>
      {title}{" "}
      <b>
        <bdi>{says}</bdi>
      </b>
    </>
  );
  return (
    <li className="chip">
      <PanelButton className="link plain" title={say("Change the filter {title}", { title })} onNear={FilterEditor.preload} label={label}>
        {(close) => <FilterEditor collection={collection} state={state} go={go} filter={filter} onDone={close} />}
      </PanelButton>
      <button
        type="button"
        className="remove"
        aria-label={say("Remove filter {title} {says}", { title, says })}
        onClick={() => go({ filters: state.filters.filter((one) => one !== filter) })}
      >
        ✕
      </button>
    </li>
  );
}

/** Nothing for a moment, a thin line then, and words when it takes long; the waiting is the style sheet's. */
function Slow() {
  return (
    <div className="slow">
      <i aria-hidden="true" />
      <span className="dim small">{say("This takes longer than usual.")}</span>
    </div>
  );
}

/** On a phone the table has no head to sort by. */
function SortBy({ collection, state, go }: Parts) {
  return (
    <label className="sort-by">
      <span className="hidden">{say("Sort by")}</span>
      <select
        value={state.sort ?? DEFAULT_SORT}
        onChange={({ target }) => go({ sort: target.value === DEFAULT_SORT ? undefined : target.value })}
      >
        <option value={DEFAULT_SORT}>{say("Last changed first")}</option>
        {askableFields(collection)
          .flatMap(({ name, title }) => [
            { value: name, words: `${title} ↑` },
            { value: `-${name}`, words: `${title} ↓` },
          ])
          .filter(({ value }) => value !== DEFAULT_SORT)
          .map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
      </select>
    </label>
  );
}

/** A fast typist's letters are that far apart; answers that come late are given up anyway. */
export const TYPING_PAUSE_MS = 60;

interface SearchBoxProps {
  /** The collection's name. */
  list: string;
  query: string;
  input: RefObject<HTMLInputElement | null>;
  onSearch: (q: string) => void;
}

/** Holds what is typed; the address follows after a short pause. A change from elsewhere (back, a link) shows in the box. */
function SearchBox({ list, query, input, onSearch }: SearchBoxProps) {
  const router = useRouter();
  const [typed, setTyped] = useState(query);
  const told = useRef(query);
  useEffect(() => {
    if (query === told.current) return;
    told.current = query;
    setTyped(query);
  }, [query]);
  useEffect(() => {
    if (typed.trim() === told.current) return;
    const timer = setTimeout(() => {
      if (!router.latestLocation.pathname.endsWith(`/${list}`)) return; // on the way to another page: what was typed leads nowhere
      told.current = typed.trim();
      onSearch(told.current);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      ref={input}
      aria-label={say("Search")}
      placeholder={say("Search")}
      autoComplete="off"
      enterKeyHint="search"
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && typed !== "") setTyped("");
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        document.querySelector<HTMLElement>(".list tbody a")?.focus();
      }}
    />
  );
}
