// Edits what a role's rights leave out: fields that are hidden or only seen, and lists that may not leave as files.

import type { CollectionConditions, RoleConditions } from "../../core/contract/people.ts";
import { allows, allowsSome } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { count } from "../values/format.ts";
import * as peopleStyles from "./people-page.module.css";

/** How much of a field a role shows: `free` is all that its rights on the collection allow. */
type Shown = "free" | "readOnly" | "hidden";

const SHOWN: Record<Shown, string> = {
  free: message("As above"),
  readOnly: message("Only seen"),
  hidden: message("Hidden"),
};

interface ConditionsEditorProps {
  scope: string;
  conditions: RoleConditions;
  onChange: (conditions: RoleConditions) => void;
}

/** One folded part for each collection that the role has a right for; open where something is left out. */
export function ConditionsEditor({ scope, conditions, onChange }: ConditionsEditorProps) {
  const { collections } = useDictionary();
  const own = allows(scope, "admin") ? [] : collections.filter(({ name }) => allowsSome(scope, name));
  if (own.length === 0) return null;
  function change(name: string, next: CollectionConditions | undefined): void {
    const { [name]: _, ...others } = conditions;
    onChange(next ? { ...others, [name]: next } : others);
  }
  return (
    <fieldset className={formStyles.field} aria-describedby="conditions-hint">
      <legend>{t("What these rights leave out")}</legend>
      <span className={textStyles.hint} id="conditions-hint">
        {t("Of several roles of a person, a field is hidden only if all that read the collection hide it.")}
      </span>
      {own.map((collection) => (
        <CollectionPart
          key={collection.name}
          collection={collection}
          conditions={conditions[collection.name] ?? {}}
          onChange={(next) => change(collection.name, next)}
        />
      ))}
    </fieldset>
  );
}

interface CollectionPartProps {
  collection: Collection;
  conditions: CollectionConditions;
  onChange: (conditions: CollectionConditions | undefined) => void;
}

function CollectionPart({ collection, conditions, onChange }: CollectionPartProps) {
  const { hidden = [], readOnly = [] } = conditions.fields ?? {};
  const left = hidden.length + readOnly.length + (conditions.export === false ? 1 : 0);
  function set(field: Field, shown: Shown): void {
    const without = (names: readonly string[]) => names.filter((name) => name !== field.name);
    const next = {
      hidden: [...without(hidden), ...(shown === "hidden" ? [field.name] : [])],
      readOnly: [...without(readOnly), ...(shown === "readOnly" ? [field.name] : [])],
    };
    onChange(conditionsOf(next, conditions.export));
  }
  return (
    <details className={peopleStyles.part}>
      <summary>
        {collection.title}{" "}
        <span className={textStyles.hint}>
          {left > 0 ? count(left, "{n} thing left out", "{n} things left out") : t("Nothing left out")}
        </span>
      </summary>
      <div className={peopleStyles.fields}>
        {collection.form
          .filter((field) => field !== collection.key)
          .map((field) => (
            <label key={field.name}>
              <span>{field.title}</span>
              <select
                aria-label={`${collection.title}: ${field.title}`}
                value={hidden.includes(field.name) ? "hidden" : readOnly.includes(field.name) ? "readOnly" : "free"}
                onChange={(event) => set(field, event.target.value as Shown)}
              >
                {Object.entries(SHOWN).map(([value, text]) => (
                  <option key={value} value={value}>
                    {t(text)}
                  </option>
                ))}
              </select>
            </label>
          ))}
      </div>
      <label className={formStyles.choice}>
        <input
          type="checkbox"
          checked={conditions.export !== false}
          onChange={(event) => onChange(conditionsOf({ hidden, readOnly }, event.target.checked ? undefined : false))}
        />
        <span>{t("Lists may leave as files")}</span>
      </label>
    </details>
  );
}

/** Undefined where nothing is left out. The names are in order, so that the same conditions are the same text. */
function conditionsOf(
  { hidden, readOnly }: { hidden: string[]; readOnly: string[] },
  mayLeave: false | undefined,
): CollectionConditions | undefined {
  const fields = { ...(hidden.length > 0 && { hidden: hidden.sort() }), ...(readOnly.length > 0 && { readOnly: readOnly.sort() }) };
  const isEmpty = hidden.length + readOnly.length === 0;
  if (isEmpty && mayLeave === undefined) return undefined;
  return { ...(!isEmpty && { fields }), ...(mayLeave === false && { export: false }) };
}
