// What the codes of a layout's action mean, whatever kind of file they stand in. Reads no record.

import { ACTIONS, type Action, type ActionCodes, codesOf } from "./layout.ts";

/** Of a code as it stands in a record: its action, or words that go on after the record's name. */
export type ActionOf = (code: string | undefined) => { action: Action | undefined; unknown?: string };

export function readActions(codes: ActionCodes): ActionOf {
  const meanings = new Map(ACTIONS.flatMap((name) => codesOf(codes[name]).map((code): [string, Action] => [code, name])));
  const known = [...meanings].map(([code, name]) => `“${code}” (${name})`).join(", ");
  return (code) => {
    const action = meanings.get(code ?? "");
    return action ? { action } : { action, unknown: `the action “${code ?? "?"}” is none of ${known}.` };
  };
}
