// The filters of a list as chips. Loaded with the first filter.

import { useQueryClient } from "@tanstack/react-query";
import { readValueList, SERVICE_PRINCIPALS } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";
import { seenPrincipals } from "../../service/seen-principals.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { PanelButton } from "../../ui/panel.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatValue } from "../../values/format-value.ts";
import { useParents } from "../../values/references/use-parent.ts";
import { describeFilter } from "../query/describe-filter.ts";
import { type Bounds, joinBounds } from "../query/filter-bounds.ts";
import { filteredField, type ListParts, type ListState } from "../query/list-url.ts";
import * as styles from "./filter-chips.module.css";
import { FilterEditor } from "./filter-editor.tsx";
import * as toolbarStyles from "./list-toolbar.module.css";

export function FilterChips(parts: ListParts) {
  const { collection, state, go } = parts;
  const chips = joinBounds(collection, state.filters);
  const count = chips.length + Object.keys(state.others).length;
  return (
    <ul className={toolbarStyles.chips} aria-label={t("Filters")}>
      {chips.map((bounds) => (
        <Chip key={`${bounds[0].name} ${bounds[0].operator}`} bounds={bounds} {...parts} />
      ))}
      <WordlessChips
        others={state.others}
        labelOf={(what) => t("Remove filter {what}", { what })}
        onChange={(rest) => go({ others: rest })}
      />
      <li className={count === 1 && state.q === "" ? styles.spare : undefined}>
        <button type="button" className={`${buttonStyles.link} ${textStyles.note}`} onClick={() => go({ q: "", filters: [], others: {} })}>
          {t("Clear filters")}
        </button>
      </li>
    </ul>
  );
}

function Chip({ collection, state, go, bounds }: ListParts & { bounds: Bounds }) {
  const [filter] = bounds;
  useFocusFallback("input[type=search]");
  const queries = useQueryClient();
  const parents = useParents(filteredField(collection, filter.name)?.reference, readValueList(filter.text) ?? []);
  const { title, condition } = describeFilter(collection, bounds, (field, value) => {
    const parent = field.reference && parents.get(String(value));
    if (parent !== undefined) return parent;
    const who = SERVICE_PRINCIPALS.includes(field) && seenPrincipals(queries, collection).find(({ id }) => id === value);
    return who ? who.name : formatValue(field, value);
  });
  const label = (
    <>
      {title}{" "}
      <b>
        <bdi>{condition}</bdi>
      </b>
    </>
  );
  return (
    <li className={`${chipStyles.chip} ${styles.filter}`}>
      <PanelButton className={`${buttonStyles.bare} ${styles.value}`} title={t("Change the filter {title}", { title })} label={label}>
        {(close) => <FilterEditor collection={collection} state={state} go={go} bounds={bounds} onDone={close} />}
      </PanelButton>
      <RemoveButton
        label={t("Remove filter {what}", { what: `${title} ${condition}` })}
        onRemove={() => go({ filters: state.filters.filter((one) => !bounds.includes(one)) })}
      />
    </li>
  );
}

interface WordlessChipsProps {
  others: ListState["others"];
  /** Returns the label of the button that takes one out. */
  labelOf: (what: string) => string;
  onChange: (others: ListState["others"]) => void;
}

/** Shows parameters that the app has no words for, such as `or[0].city`, as they stand in the address. */
export function WordlessChips({ others, labelOf, onChange }: WordlessChipsProps) {
  return Object.entries(others).map(([name, text]) => (
    <li key={name} className={`${chipStyles.chip} ${styles.filter}`}>
      <code dir="ltr">{`${name}=${text}`}</code>
      <RemoveButton
        label={labelOf(`${name}=${text}`)}
        onRemove={() => {
          const { [name]: _, ...rest } = others;
          onChange(rest);
        }}
      />
    </li>
  ));
}

export function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button type="button" className={`${buttonStyles.bare} ${styles.remove}`} aria-label={label} onClick={onRemove}>
      ✕
    </button>
  );
}
