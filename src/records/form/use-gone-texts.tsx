// Notices fields that are taken out of the dictionary while a form is open, and shows what was typed into them.

import { type ReactNode, useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";
import type { Texts } from "../../values/field-text.ts";
import { typedTexts } from "./diff.ts";
import type { GoneText, GoneTextsProps } from "./gone-texts.tsx";

const GoneTexts = lazyPart<"GoneTexts", GoneTextsProps>(() => import("./gone-texts.tsx"), "GoneTexts", nothing);

/** `read`: the texts in the inputs. Of a field that is gone they stay there, and are not saved. */
export function useGoneTexts(collection: Collection, base: WireRecord | undefined, read: () => Texts): ReactNode {
  const [gone, setGone] = useState<readonly GoneText[]>([]);
  const before = useRef(collection);
  const latest = useRef({ base, read });
  latest.current = { base, read };
  useEffect(() => {
    const known = before.current;
    before.current = collection;
    const names = new Set(collection.fields.flatMap(({ name, formerNames = [] }) => [name, ...formerNames]));
    const fields = known.fields.filter(({ name, file }) => !names.has(name) && !file);
    if (fields.length === 0) return;
    const typed = typedTexts(known, latest.current.base ?? {}, latest.current.read());
    setGone((all) => [...all, ...fields.flatMap((field) => (typed[field.name] ? { field, text: typed[field.name] ?? "" } : []))]);
  }, [collection]);
  return gone.length > 0 && <GoneTexts gone={gone} onClose={() => setGone([])} />;
}
