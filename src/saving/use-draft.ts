// Stores what is typed as a draft, and offers it when the user returns without having saved it.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { Texts } from "../fields/field-text.ts";
import type { Draft } from "../state/draft-store.ts";

const WRITTEN_EVERY_MS = 400;

/** The drafts of one form: the one that is offered on return, and a provisional one, typed while the offer is open. */
export interface DraftStorage {
  read(): Promise<Draft | undefined>;
  write(draft: Draft, isProvisional: boolean): Promise<void>;
  /** Deletes both drafts, or only the provisional one; also those of `base`, which a new record has become. */
  clear(base: WireRecord | undefined, onlyProvisional: boolean): Promise<void>;
  /** Called when the user continues with this draft. */
  restored(draft: Draft): void;
}

export interface RecordDraft {
  /** A draft from an earlier visit. */
  offered: Draft | undefined;
  /** Fills the fields into which nothing has been typed since. */
  restore(): void;
  discard(): void;
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
  const [offered, isOpen, setOffered] = useOfferedDraft(drafts, typed);
  const latest = useRef({ drafts, typed, isOffered: true });
  latest.current = { drafts, typed, isOffered: isOpen };

  /** Nothing typed means no draft. An open offer stays until the user decides, whatever is typed meanwhile. */
  const writeNow = useWrites(form, () => {
    const { drafts, typed, isOffered } = latest.current;
    const texts = typed();
    if (Object.keys(texts).length > 0) drafts.write({ texts, base: base.current, typedAt: Date.now() }, isOffered);
    else drafts.clear(base.current, isOffered);
  });

  /** From now on what is typed is the draft, and there is no provisional one. */
  function endOffer(): void {
    setOffered(undefined);
    latest.current.isOffered = false;
    drafts.clear(base.current, true);
  }

  function restore(): void {
    if (!offered) return;
    endOffer();
    drafts.restored(offered);
    const now = base.current;
    const before = form.formState.defaultValues ?? {}; // a new record begins with values that nobody has typed
    const since = Object.entries(typed()).filter(([name, text]) => text !== before[name]);
    const texts = { ...offered.texts, ...Object.fromEntries(since) };
    if (now && offered.base && offered.base.version !== now.version) merge(offered.base, now, texts);
    else for (const [name, text] of Object.entries(texts)) form.setValue(name, text, { shouldDirty: true });
  }

  function discard(): void {
    endOffer();
    drafts.clear(base.current, false);
    writeNow(); // what was typed in the meantime
  }

  function saved(): void {
    const { isOffered } = latest.current;
    drafts.clear(base.current, isOffered);
    // An offer that equals what was saved is pointless.
    if (offered && Object.keys(typed(offered.texts)).length === 0) discard();
    else writeNow();
  }

  return { offered, restore, discard, writeNow, saved };
}

/** Reads the draft of an earlier visit. The offer is open until it is known that there is none, or the user has decided. */
function useOfferedDraft(
  drafts: DraftStorage,
  typed: DraftParts["typed"],
): [offered: Draft | undefined, isOpen: boolean, setOffered: (offered: Draft | undefined) => void] {
  const [offered, setOffered] = useState<Draft>();
  const [isRead, setRead] = useState(false);
  const latest = useRef({ drafts, typed });
  latest.current = { drafts, typed };
  useEffect(() => {
    let isMounted = true;
    latest.current.drafts.read().then((draft) => {
      if (!isMounted) return;
      if (draft && Object.keys(latest.current.typed(draft.texts)).length > 0) setOffered(draft);
      setRead(true);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  return [offered, offered !== undefined || !isRead, setOffered];
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
