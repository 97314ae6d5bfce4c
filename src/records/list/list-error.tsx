// Shown when the service rejects the address of a list: which part of it, and a link without that part.

import type { ApiError } from "../../../client/errors.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { readFilterName, readValueList, takesSeveral, withoutRules } from "../../../core/dictionary/filters.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import { filteredField } from "../query/list-url.ts";

interface ListErrorProps {
  collection: Collection;
  refused: ApiError;
  address: Record<string, string>;
}

export function ListError({ collection, refused, address }: ListErrorProps) {
  const { parameters } = refused;
  const names = new Set(parameters.map(({ name }) => name));
  const rest = Object.fromEntries(Object.entries(address).filter(([name]) => !names.has(name)));
  const isOrder = names.size === 1 && names.has("sort");
  return (
    <Notice tone="wrong">
      <b>{isOrder ? t("The list cannot be sorted as this address asks.") : t("The service does not understand this address.")}</b>
      {isOrder && ` ${t("Clear the order to see the last changed records first.")}`}
      {parameters.length === 0 && ` ${refused.message}`}
      {parameters.length > 0 && !isOrder && (
        <ul>
          {parameters.map(({ name, message: problem }) => (
            <li key={name}>
              {wrongValue(collection, name, address[name]) ?? (
                <>
                  <code>{name}</code>: {whatIsWrong(name, problem)}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={noticeStyles.actions}>
        {names.size > 0 && (
          <Link className="button" to="/$collection" params={{ collection: collection.name }} search={rest}>
            {isOrder ? t("Clear the order") : t("Show the list without it")}
          </Link>
        )}
        {(names.size === 0 || Object.keys(rest).length > 0) && (
          <Link className="button" to="/$collection" params={{ collection: collection.name }}>
            {t("Show all")}
          </Link>
        )}
      </div>
    </Notice>
  );
}

/** Says what is wrong with the value of a filter, in the language of the app and with the title of its field. The address has the dictionary's form. */
function wrongValue(collection: Collection, parameter: string, text = ""): string | undefined {
  const filter = readFilterName(parameter);
  const field = filter && filteredField(collection, filter.name);
  if (!field) return undefined;
  const values = takesSeveral(filter.operator) ? (readValueList(text) ?? []) : [text];
  for (const value of values) {
    const validated = validateValue(withoutRules(field.item ?? field), value, "text");
    if (isProblem(validated)) return validated.message;
  }
  return undefined;
}

/** `problem`: the service's English sentences, which are for programs. */
function whatIsWrong(parameter: string, problem: string): string {
  const unknown = message("There is no parameter of this name here.");
  if (problem.startsWith(unknown)) return t(unknown);
  if (parameter === "sort") return t("This order is unknown.");
  return parameter === "limit" ? t("This must be a whole number, at least 1.") : t("This value cannot be used here.");
}
