// Finds the action that a code of the file means: add, change or delete.

import { ACTIONS, type Action, type ActionCodes, codesOf } from "./layout.ts";

/** `unknown`: a message that continues after the name of the record. */
export type ActionOf = (code: string | undefined) => { action: Action | undefined; unknown?: string };

export function readActions(codes: ActionCodes): ActionOf {
  const meanings = new Map(ACTIONS.flatMap((name) => codesOf(codes[name]).map((code): [string, Action] => [code, name])));
  const known = [...meanings].map(([code, name]) => `“${code}” (${name})`).join(", ");
  return (code) => {
    const action = meanings.get(code ?? "");
    return action ? { action } : { action, unknown: `the action “${code ?? "?"}” is none of ${known}.` };
  };
}
