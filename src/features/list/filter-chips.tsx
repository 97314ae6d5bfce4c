// The filters of a list as chips: what each asks, changed by a click on it and taken off by another. Fetched with the first filter.

import { say } from "../../../core/i18n/translate.ts";
import { useFocusReturn } from "../../components/focus-return.ts";
import { PanelButton } from "../../components/panel.tsx";
import { display } from "../../fields/format-value.ts";
import { filterWords } from "../../state/describe-filter.ts";
import type { Filter } from "../../state/list-url.ts";
import { FilterEditor } from "./filter-editor.tsx";
import type { ListParts } from "./use-list.ts";

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
