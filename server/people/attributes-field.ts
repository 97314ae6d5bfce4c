// Reads attributes of a person: values by name, with which conditions of roles compare fields.

import { ATTRIBUTE_NAME, type Attributes, MAX_ATTRIBUTE_VALUE, MAX_ATTRIBUTE_VALUES, MAX_ATTRIBUTES } from "../../core/contract/people.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { httpErrors } from "../http/errors.ts";
import { type FieldReader, line } from "../http/read-fields.ts";

/** One that is null or has no values is taken away. */
export const attributesField: FieldReader<Attributes> = (given) => {
  if (!isObject(given)) return { problem: `attributes are lists of values by name, such as ${EXAMPLE}.` };
  const read: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(given)) {
    if (!ATTRIBUTE_NAME.test(name))
      return {
        problem: `"${name}" is no name of an attribute: a letter, then letters, digits and _, at most 40 characters, and not email, which is the address.`,
      };
    const list = values ?? [];
    if (!Array.isArray(list) || list.length > MAX_ATTRIBUTE_VALUES)
      return { problem: `${name} must be a list of at most ${MAX_ATTRIBUTE_VALUES} values, such as ${EXAMPLE}.` };
    const lines = list.map(line(`each value of ${name}`, MAX_ATTRIBUTE_VALUE));
    const wrong = lines.find((one) => "problem" in one);
    if (wrong) return wrong;
    read[name] = [...new Set(lines.flatMap((one) => ("value" in one ? one.value : [])))];
  }
  return { value: read };
};

const EXAMPLE = '{ "regions": ["north"] }';

export function attributesClaimed() {
  return refused("The organisation's own sign-in says one of these attributes at each sign-in. Change it there.");
}

export function tooManyAttributes() {
  return refused(`A person has at most ${MAX_ATTRIBUTES} attributes. Take one away first.`);
}

function refused(detail: string) {
  return httpErrors.validation([{ pointer: "/attributes", code: "KIND", detail }]);
}
