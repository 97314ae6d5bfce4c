// Shown when the service rejects the address of a list: which part of it, and a link without that part.

import type { ApiError } from "../../../client/errors.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as noticeStyles from "../../components/notice.module.css";
import { Notice } from "../../components/primitives.tsx";
import { Link } from "../../router/link.tsx";

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
          {parameters.map(({ name, message }) => (
            <li key={name}>
              <code>{name}</code>: {name === "sort" ? t("This order is unknown.") : firstSentence(message)}
            </li>
          ))}
        </ul>
      )}
      <div className={noticeStyles.actions}>
        {names.size > 0 && (isOrder || Object.keys(rest).length > 0) && (
          <Link className="button" to="/$collection" params={{ collection: collection.name }} search={rest}>
            {isOrder ? t("Clear the order") : t("Show the list without it")}
          </Link>
        )}
        {!(isOrder && Object.keys(rest).length === 0) && (
          <Link className="button" to="/$collection" params={{ collection: collection.name }}>
            {t("Show all")}
          </Link>
        )}
      </div>
    </Notice>
  );
}

/** The first sentence says what is wrong. The rest lists alternatives for programs. */
function firstSentence(message: string): string {
  return /^.*?\.(?= |$)/.exec(message)?.[0] ?? message;
}
