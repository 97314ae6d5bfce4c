// The filters of a list as chips: what each asks, changed by a click on it and taken off by another. Fetched with the first filter.

import { say } from "../../dictionary/words.ts";
import type { Filter } from "../list/address.ts";
import { filterWords } from "../list/filter-words.ts";
import { useFocusReturn } from "../ui/focus-return.ts";
import { PanelButton } from "../ui/panel.tsx";
import { display } from "./display.ts";
import { FilterEditor } from "./filter-editor.tsx";
import type { ListParts } from "./list-state.ts";

export function Chips(parts: ListParts) {
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

function Chip({ collection, state, go, filter }: ListParts & { filter: Filter }) {
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
      <PanelButton className="link plain" title={say("Change the filter {title}", { title })} label={label}>
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
