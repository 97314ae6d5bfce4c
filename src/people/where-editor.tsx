// Edits which records a right of a role is about, in the words of a list's filters, and counts them.

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { User } from "../../core/contract/people.ts";
import type { Right } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readValueList } from "../../core/dictionary/filters.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useServices } from "../app/services/services.ts";
import * as filterStyles from "../records/list/filter-chips.module.css";
import { RemoveButton, WordlessChips } from "../records/list/filter-chips.tsx";
import { FilterEditor } from "../records/list/filter-editor.tsx";
import { describeFilter } from "../records/query/describe-filter.ts";
import { type Bounds, joinBounds } from "../records/query/filter-bounds.ts";
import { filteredField, formatListUrl, type ListState, parseListUrl } from "../records/query/list-url.ts";
import { isOfPerson, parametersFor, parametersOf, whereOf, wordsOfPerson } from "../records/query/person-values.ts";
import { usersQuery } from "../service/people.ts";
import { countQuery } from "../service/records.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as chipStyles from "../ui/chip.module.css";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { formatNumber } from "../values/format.ts";
import { formatValue } from "../values/format-value.ts";
import { useParents } from "../values/references/use-parent.ts";
import * as peopleStyles from "./people-page.module.css";

const ONLY: Record<Right, string> = {
  read: message("Sees only {collection} where"),
  create: message("Adds only {collection} where"),
  update: message("Changes only {collection} where"),
  delete: message("Deletes only {collection} where"),
};
const ALL: Record<Right, string> = {
  read: message("Sees all {collection}"),
  create: message("Adds any {collection}"),
  update: message("Changes all {collection} that are seen"),
  delete: message("Deletes all {collection} that are seen"),
};
const COUNTED: Record<Exclude<Right, "create">, string> = {
  read: message("Sees {n} of {total}"),
  update: message("Changes {n} of {total}"),
  delete: message("Deletes {n} of {total}"),
};

interface WhereEditorProps {
  collection: Collection;
  right: Right;
  /** Empty: the right is about every record. */
  where: string;
  onChange: (where: string) => void;
}

export function WhereEditor({ collection, right, where, onChange }: WhereEditorProps) {
  const { client } = useServices();
  const { data: users = [] } = useQuery(usersQuery(client));
  const attributes = [...new Set([...users.flatMap((user) => Object.keys(user.attributes)), ...named(where)])].sort();
  const words = { collection: collection.title };
  return (
    <fieldset className={peopleStyles.where}>
      <legend>{t(where === "" ? ALL[right] : ONLY[right], words)}</legend>
      <ConditionList collection={collection} where={where} attributes={attributes} onChange={onChange} />
      {where !== "" && right !== "create" && <CountOf collection={collection} where={where} right={right} users={users} />}
    </fieldset>
  );
}

interface ConditionListProps extends Pick<WhereEditorProps, "collection" | "where" | "onChange"> {
  /** Names of attributes of people, with which a condition may compare, or that it may not. */
  attributes: readonly string[] | "none";
}

/** Draws the filters of a where, each of which can be changed and taken out. */
export function ConditionList({ collection, where, attributes, onChange }: ConditionListProps) {
  const state = parseListUrl(collection, parametersOf(where));
  const go = (change: Partial<ListState>) => onChange(whereOf(formatListUrl({ ...state, ...change })));
  const parts = { collection, state, go, attributes };
  return (
    <ul className={peopleStyles.conditions}>
      {joinBounds(collection, state.filters).map((bounds) => (
        <Condition key={`${bounds[0].name} ${bounds[0].operator}`} bounds={bounds} {...parts} />
      ))}
      <WordlessChips others={state.others} labelOf={removalOf} onChange={(others) => go({ others })} />
      <li>
        <EditorInPlace className={buttonStyles.link} label={t("Add a condition")} title={t("Add a condition")}>
          {(close) => <FilterEditor {...parts} onDone={close} />}
        </EditorInPlace>
      </li>
    </ul>
  );
}

interface ConditionProps {
  collection: Collection;
  state: ListState;
  go: (change: Partial<ListState>) => void;
  attributes: readonly string[] | "none";
  bounds: Bounds;
}

function Condition({ collection, state, go, attributes, bounds }: ConditionProps) {
  const [{ name, text }] = bounds;
  const ofPerson = isOfPerson(text);
  const parents = useParents(filteredField(collection, name)?.reference, ofPerson ? [] : (readValueList(text) ?? []));
  const { title, condition } = describeFilter(collection, bounds, (field, value) => {
    if (ofPerson) return text;
    return (field.reference && parents.get(String(value))) ?? formatValue(field, value);
  });
  const inWords = ofPerson ? condition.replace(text, wordsOfPerson(text)) : condition;
  return (
    <li className={`${chipStyles.chip} ${filterStyles.filter}`}>
      <EditorInPlace
        className={`${buttonStyles.bare} ${filterStyles.value}`}
        title={t("Change the condition on {title}", { title })}
        label={
          <>
            {title}{" "}
            <b>
              <bdi>{inWords}</bdi>
            </b>
          </>
        }
      >
        {(close) => <FilterEditor {...{ collection, state, go, attributes, bounds }} onDone={close} />}
      </EditorInPlace>
      <RemoveButton
        label={removalOf(`${title} ${inWords}`)}
        onRemove={() => go({ filters: state.filters.filter((one) => !bounds.includes(one)) })}
      />
    </li>
  );
}

interface EditorInPlaceProps {
  label: ReactNode;
  /** Names the group of inputs. */
  title: string;
  className: string | undefined;
  children: (close: () => void) => ReactNode;
}

/**
 * Draws a button that opens inputs below itself. They stay until they are applied or cancelled: in a form, a panel that a click elsewhere
 * closes would lose them.
 */
function EditorInPlace({ label, title, className, children }: EditorInPlaceProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // the dialog around it stays
    event.stopPropagation();
    close();
  };
  return (
    <>
      <button
        type="button"
        ref={button}
        className={className}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <fieldset id={id} aria-label={title} className={peopleStyles.editing} onKeyDown={onKeyDown}>
          {children(close)}
          <button type="button" className={buttonStyles.quiet} onClick={close}>
            {t("Cancel")}
          </button>
        </fieldset>
      )}
    </>
  );
}

function removalOf(what: string): string {
  return t("Remove the condition {what}", { what });
}

interface CountOfProps {
  collection: Collection;
  where: string;
  right: Exclude<Right, "create">;
  users: readonly User[];
}

/** Where the condition names the person, it is counted for one who is chosen. */
function CountOf({ collection, where, right, users }: CountOfProps) {
  const { client } = useServices();
  const id = useId();
  const [chosen, setChosen] = useState("");
  const parameters = parametersOf(where);
  const isOfOne = Object.values(parameters).some(isOfPerson);
  const user = users.find((one) => one.id === chosen);
  const query = !isOfOne ? parameters : user && parametersFor(parameters, user);
  const some = useQuery({ ...countQuery(client, collection, query ?? {}, "exact"), enabled: query !== undefined });
  const all = useQuery(countQuery(client, collection, {}, "exact"));
  const n = query ? some.data?.total : 0;
  const isKnown = n !== undefined && all.data !== undefined && (!isOfOne || user !== undefined);
  return (
    <>
      {isOfOne && (
        <label htmlFor={id} className={formStyles.choice}>
          <span>{t("Count for")}</span>
          <select id={id} value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value="">{t("Choose a person…")}</option>
            {users.map(({ id: one, name }) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <span className={textStyles.hint} role="status">
        {isKnown ? t(COUNTED[right], { n: formatNumber(n), total: formatNumber(all.data.total) }) : ""}
        {isOfOne && user && !query ? ` ${t("{name} does not have this attribute.", { name: user.name })}` : ""}
      </span>
    </>
  );
}

function named(where: string): string[] {
  return [...where.matchAll(/\{me\.(\w+)\}/g)].flatMap(([, name = ""]) => (name === "email" ? [] : [name]));
}
