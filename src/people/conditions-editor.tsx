// Edits what a role leaves out: records, what is seen and changed of fields, and lists that may not leave as files.

import { FIELD_CONDITIONS, type FieldCondition } from "../../core/contract/field-conditions.ts";
import type { CollectionConditions, RoleConditions } from "../../core/contract/people.ts";
import { allows, allowsSome, RIGHTS, type Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { count } from "../values/format.ts";
import * as peopleStyles from "./people-page.module.css";
import { RIGHT_WORDS } from "./scope-text.ts";
import { WhereEditor } from "./where-editor.tsx";

/** Says how much of a field a role shows: `free` is all that its rights on the collection allow. */
type Shown = "free" | FieldCondition;

const SHOWN: Record<Shown, string> = {
  free: message("As above"),
  readOnly: message("Only seen"),
  masked: message("Masked"),
  hidden: message("Hidden"),
};

/** Says in a line what a role leaves out of one collection. */
export function describeConditions({ fields = {}, export: mayLeave, ...rights }: CollectionConditions): string {
  const own = RIGHTS.flatMap((right) => (rights[right] ? [`${t(RIGHT_WORDS[right])}: ${rights[right].where}`] : []));
  const lists = FIELD_CONDITIONS.flatMap((word) => (fields[word]?.length ? [`${t(SHOWN[word])}: ${fields[word].join(", ")}`] : []));
  return [...own, ...lists, ...(mayLeave === false ? [t("No list leaves as a file")] : [])].join(" · ");
}

interface ConditionsEditorProps {
  scope: string;
  conditions: RoleConditions;
  onChange: (conditions: RoleConditions) => void;
}

/** Shows one folded part for each collection that the role has a right for; open where something is left out. */
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
        {t(
          "Of several roles of a person, a record is seen if one of them shows it. A field is hidden only if all that read the collection hide it, and masked only if none of them shows it.",
        )}
      </span>
      {own.map((collection) => (
        <CollectionPart
          key={collection.name}
          collection={collection}
          scope={scope}
          conditions={conditions[collection.name] ?? {}}
          onChange={(next) => change(collection.name, next)}
        />
      ))}
    </fieldset>
  );
}

interface CollectionPartProps {
  collection: Collection;
  scope: string;
  conditions: CollectionConditions;
  onChange: (conditions: CollectionConditions | undefined) => void;
}

function CollectionPart({ collection, scope, conditions, onChange }: CollectionPartProps) {
  const shownAs = new Map(FIELD_CONDITIONS.flatMap((shown) => (conditions.fields?.[shown] ?? []).map((name) => [name, shown] as const)));
  const chosen = RIGHTS.filter((right) => conditions[right] !== undefined);
  const left = shownAs.size + chosen.length + (conditions.export === false ? 1 : 0);
  function set(field: Field, shown: Shown): void {
    const next = new Map([...shownAs, [field.name, shown]]);
    const named = FIELD_CONDITIONS.map((word) => [word, [...next.keys()].filter((name) => next.get(name) === word)]);
    onChange(inOrder({ ...conditions, fields: Object.fromEntries(named) }));
  }
  function setWhere(right: Right, where: string): void {
    const { [right]: _, ...others } = conditions;
    onChange(inOrder(where === "" ? others : { ...others, [right]: { where } }));
  }
  return (
    <details className={peopleStyles.part}>
      <summary>
        {collection.title}{" "}
        <span className={textStyles.hint}>
          {left > 0 ? count(left, "{n} thing left out", "{n} things left out") : t("Nothing left out")}
        </span>
      </summary>
      {RIGHTS.filter((right) => allows(scope, `${collection.name}:${right}`)).map((right) => (
        <WhereEditor
          key={right}
          collection={collection}
          right={right}
          where={conditions[right]?.where ?? ""}
          onChange={(where) => setWhere(right, where)}
        />
      ))}
      <div className={peopleStyles.fields}>
        {collection.form
          .filter((field) => field !== collection.key)
          .map((field) => (
            <label key={field.name}>
              <span>{field.title}</span>
              <select
                aria-label={`${collection.title}: ${field.title}`}
                value={shownAs.get(field.name) ?? "free"}
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
          onChange={({ target }) => {
            const { export: _, ...others } = conditions;
            onChange(inOrder(target.checked ? others : { ...others, export: false }));
          }}
        />
        <span>{t("Lists may leave as files")}</span>
      </label>
    </details>
  );
}

/** Returns undefined where nothing is left out. All stands in one order, so that the same conditions are the same text. */
function inOrder({ fields: given = {}, export: mayLeave, ...wheres }: CollectionConditions): CollectionConditions | undefined {
  const named = FIELD_CONDITIONS.map((word) => [word, [...(given[word] ?? [])].sort()] as const);
  const fields = Object.fromEntries(named.filter(([, names]) => names.length > 0));
  const next: CollectionConditions = {
    ...Object.fromEntries(RIGHTS.flatMap((right) => (wheres[right] ? [[right, wheres[right]]] : []))),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(mayLeave === false && { export: false }),
  };
  return Object.keys(next).length > 0 ? next : undefined;
}
