// Stores what is typed as a draft, and offers it when the user returns without having saved it.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import type { Texts } from "../../values/field-text.ts";
import type { Draft } from "../drafts/draft-store.ts";

const WRITTEN_EVERY_MS = 400;

/** The drafts of one form: its own, and the one of another form that it offers. */
export interface DraftStorage {
  /** Returns the earliest draft of another form, of those that are worth an offer. */
  read(isWorthIt?: (draft: Draft) => boolean): Promise<Draft | undefined>;
  /** Writes the form's own. False when the browser does not keep it. */
  write(draft: Draft): Promise<boolean>;
  /** Deletes the form's own, also that of `base`, which a new record has become. */
  clear(base: WireRecord | undefined): Promise<void>;
  clearOffered(): Promise<void>;
  /** Deletes those of all forms. */
  clearAll(): Promise<void>;
  /** Is called when the user continues with this draft. */
  restored(draft: Draft): void;
}

export interface RecordDraft {
  /** A draft from an earlier visit. */
  offered: Draft | undefined;
  /** Fills the fields into which nothing has been typed since. */
  restore(): void;
  discard(): void;
  /** Is false when the browser did not keep what is typed. */
  isKept: boolean;
  /** Stores the typed texts at once. */
  writeNow(): void;
  /** Call after a save. Whatever still differs from the base was typed since. */
  saved(): void;
}

interface DraftParts {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** The texts that differ from the base. */
  typed: (texts?: Texts) => Texts;
  base: React.RefObject<WireRecord | undefined>;
  drafts: DraftStorage;
  /** Merges the texts, typed on version `was`, with `theirs`. */
  merge: (was: WireRecord, theirs: WireRecord, texts: Texts) => void;
}

export function useDraft({ form, typed, base, drafts, merge }: DraftParts): RecordDraft {
  const latest = useRef({ drafts, typed });
  latest.current = { drafts, typed };
  const [offered, setOffered] = useOfferedDraft(latest);
  const [isKept, setKept] = useState(true);

  /** Nothing typed means no draft. */
  const writeNow = useWrites(form, () => {
    const { drafts, typed } = latest.current;
    const texts = typed();
    const before = form.formState.defaultValues ?? {}; // a new record begins with values that nobody has typed
    const isTyped = base.current || Object.entries(form.getValues()).some(([name, text]) => text !== (before[name] ?? ""));
    if (isTyped && Object.keys(texts).length > 0) void drafts.write({ texts, base: base.current, typedAt: Date.now() }).then(setKept);
    else drafts.clear(base.current);
  });

  function restore(): void {
    if (!offered) return;
    drafts.restored(offered);
    const now = base.current;
    const before = form.formState.defaultValues ?? {}; // a new record begins with values that nobody has typed
    const since = Object.entries(typed()).filter(([name, text]) => text !== before[name]);
    const texts = { ...offered.texts, ...Object.fromEntries(since) };
    if (now && offered.base && offered.base.version !== now.version) merge(offered.base, now, texts);
    else
      for (const [name, text] of Object.entries(texts))
        form.setValue(name, text, { shouldDirty: true, shouldValidate: form.getFieldState(name).error !== undefined }); // it was left empty before
    writeNow(); // before the offered one is deleted
    discard();
  }

  function discard(): void {
    setOffered(undefined);
    drafts.clearOffered();
  }

  function saved(): void {
    drafts.clear(base.current);
    writeNow(); // what was typed in the meantime
    // An offer that equals what was saved is pointless.
    if (offered && Object.keys(typed(offered.texts)).length === 0) discard();
  }

  return { offered, isKept, restore, discard, writeNow, saved };
}

/** Reads the draft of an earlier visit. */
function useOfferedDraft(
  latest: React.RefObject<Pick<DraftParts, "drafts" | "typed">>,
): [offered: Draft | undefined, setOffered: (offered: Draft | undefined) => void] {
  const [offered, setOffered] = useState<Draft>();
  useEffect(() => {
    let isMounted = true;
    const isWorthIt = ({ texts }: Draft) => Object.keys(latest.current.typed(texts)).length > 0;
    latest.current.drafts.read(isWorthIt).then((draft) => isMounted && setOffered(draft));
    return () => {
      isMounted = false;
    };
  }, [latest]);
  return [offered, setOffered];
}

/** Calls `write` soon after something was typed, and when the page is left before that. The result calls it at once. */
function useWrites(form: DraftParts["form"], write: () => void): () => void {
  const timer = useRef<number>(undefined);
  const writeNow = useRef(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    write();
  }).current;
  useEffect(() => {
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        timer.current ??= window.setTimeout(writeNow, WRITTEN_EVERY_MS);
      },
    });
    const writePending = () => timer.current !== undefined && writeNow();
    window.addEventListener("pagehide", writePending);
    return () => {
      unsubscribe();
      window.removeEventListener("pagehide", writePending);
      writePending();
    };
  }, [form, writeNow]);
  return writeNow;
}
