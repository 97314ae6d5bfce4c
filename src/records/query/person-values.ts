// Values in the conditions of roles that are those of whoever signs in: `{me}` and `{me.regions}`.

import { writeValueList } from "../../../core/dictionary/filters.ts";
import { t } from "../../../core/i18n/translate.ts";

const OF_PERSON = /^\{me(?:\.([A-Za-z]\w*))?\}$/;

export function isOfPerson(text: string): boolean {
  return OF_PERSON.test(text);
}

/** @example wordsOfPerson("{me.regions}") // "their regions" */
export function wordsOfPerson(text: string): string {
  const [, attribute] = OF_PERSON.exec(text) ?? [];
  if (attribute === undefined) return t("the person");
  return attribute === "email" ? t("their e-mail address") : t("their {attribute}", { attribute });
}

/** Reads a condition as the parameters of a list. */
export function parametersOf(where: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(where));
}

/** Writes parameters of a list as a condition that people can read. */
export function whereOf(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, text]) => `${name}=${text.replace(/[%&+]/g, encodeURIComponent)}`)
    .join("&");
}

/** Returns the parameters for one person. Undefined where no record meets them, because the person lacks the attribute. */
export function parametersFor(
  parameters: Readonly<Record<string, string>>,
  person: { id: string; email: string; attributes: Readonly<Record<string, readonly string[]>> },
): Record<string, string> | undefined {
  const own: Readonly<Record<string, readonly string[]>> = { ...person.attributes, email: [person.email] };
  const filled = Object.entries(parameters).map(([name, text]): [string, string] | undefined => {
    const [is, attribute] = OF_PERSON.exec(text) ?? [];
    if (!is) return [name, text];
    const values = attribute === undefined ? [person.id] : Object.hasOwn(own, attribute) ? (own[attribute] ?? []) : [];
    return values.length === 0 ? undefined : [name.endsWith("]") ? name : `${name}[in]`, writeValueList(values)];
  });
  return filled.includes(undefined) ? undefined : Object.fromEntries(filled as [string, string][]);
}
