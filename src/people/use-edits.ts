// Keeps what an administrator changes of a person, a role or a webhook, beside others who may change it at the same time.

import { useState } from "react";
import { t } from "../../core/i18n/translate.ts";

type Value = string | readonly string[];
type Edits<T> = { [Name in keyof T]?: { from: T[Name]; to: T[Name] } };

interface EditsResult<T> {
  /** Holds what is stored, with the edits over it. */
  values: T;
  edit: <Name extends keyof T>(name: Name, to: T[Name]) => void;
  /** Holds only what differs: a field that nobody touched here must not be written, for somebody else may have changed it. */
  changes: Partial<T>;
  /** Takes back the edits of fields that somebody else has changed, and throws. `now`: what is stored, just read. */
  rejectConflicts: (now: T) => void;
}

/** `stored`: the fields as last read; they may become newer while the dialog is open. */
export function useEdits<T extends Record<keyof T, Value>>(stored: T): EditsResult<T> {
  const [edits, setEdits] = useState<Edits<T>>({});
  const edited = (Object.keys(edits) as (keyof T)[]).flatMap((name) => {
    const change = edits[name];
    return change ? [{ name, ...change }] : [];
  });
  const values = { ...stored, ...(Object.fromEntries(edited.map(({ name, to }) => [name, to])) as Partial<T>) };
  const changed = edited.filter(({ from, to }) => !isSame(from, to));
  return {
    values,
    edit: (name, to) => setEdits((before) => ({ ...before, [name]: { from: before[name]?.from ?? stored[name], to } })),
    changes: Object.fromEntries(changed.map(({ name, to }) => [name, typeof to === "string" ? to.trim() : to])) as Partial<T>,
    rejectConflicts(now) {
      const others = changed.filter(({ name, from }) => !isSame(now[name], from));
      if (others.length === 0) return;
      const kept = changed.filter((one) => !others.includes(one));
      setEdits(Object.fromEntries(kept.map(({ name, from, to }) => [name, { from, to }])) as Edits<T>);
      throw new Error(t("Somebody else has changed this meanwhile. You see it as it is now: change it again if it must be otherwise."));
    },
  };
}

/** The order of a list means nothing. */
function isSame(one: Value, other: Value): boolean {
  const textOf = (value: Value) => (typeof value === "string" ? value.trim() : JSON.stringify([...value].sort()));
  return textOf(one) === textOf(other);
}
