// Stores what is typed as a draft, and offers it when the user returns without having saved it.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { WireRecord } from "../../../../core/contract/records.ts";
import type { Fields } from "../../../../core/dictionary/validate.ts";
import type { Texts } from "../../../fields/field-text.ts";
import type { Draft } from "../../../state/draft-store.ts";

const WRITTEN_EVERY_MS = 400;

/** The drafts of one form: the one that is offered on return, and beside it what is typed while that waits for an answer. */
export interface DraftStorage {
  read(): Promise<Draft | undefined>;
  write(draft: Draft, isProvisional: boolean): Promise<void>;
  /** Both, or only what stands beside; also what was typed on after the new record `base` was made. */
  clear(base: WireRecord | undefined, onlyProvisional: boolean): Promise<void>;
  /** The user goes on with this draft. */
  restored(draft: Draft): void;
}

export interface RecordDraft {
  /** Typed at another time and not saved. */
  offered: Draft | undefined;
  restore(): void;
  discard(): void;
  /** Writes at once what stands in the form. */
  writeNow(): void;
  /** The base has just been saved; what the inputs say beyond it was typed since. */
  saved(): void;
}

interface DraftParts {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** The texts that are not what the base says. */
  typed: (texts?: Texts) => Texts;
  base: React.RefObject<WireRecord | undefined>;
  drafts: DraftStorage;
  /** Puts the texts into the form, joined with what was saved since `was`. */
  merge: (was: WireRecord, theirs: WireRecord, texts: Texts) => void;
}

export function useDraft({ form, typed, base, drafts, merge }: DraftParts): RecordDraft {
  const [offered, setOffered] = useState<Draft>();
  const [isRead, setRead] = useState(false);
  const latest = useRef({ drafts, typed, isOffered: true });
  latest.current = { drafts, typed, isOffered: offered !== undefined || !isRead };
  const timer = useRef<number>(undefined);

  /** What is typed back to what is stored is no draft; one that is on offer stays until the user says, whatever is typed meanwhile. */
  const writeNow = useRef(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { drafts, isOffered } = latest.current;
    const texts = latest.current.typed();
    if (Object.keys(texts).length > 0) drafts.write({ texts, base: base.current, typedAt: Date.now() }, isOffered);
    else drafts.clear(base.current, isOffered);
  }).current;

  /** From now on what is typed is the draft, and nothing stands beside it. */
  function endOffer(): void {
    setOffered(undefined);
    latest.current.isOffered = false;
    drafts.clear(base.current, true);
  }

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

  function restore(): void {
    if (!offered) return;
    endOffer();
    drafts.restored(offered);
    const now = base.current;
    if (now && offered.base && offered.base.version !== now.version) merge(offered.base, now, { ...typed(), ...offered.texts });
    else for (const [name, text] of Object.entries(offered.texts)) form.setValue(name, text, { shouldDirty: true });
  }

  function discard(): void {
    endOffer();
    drafts.clear(base.current, false);
    writeNow(); // what stood beside it
  }

  function saved(): void {
    const { isOffered } = latest.current;
    drafts.clear(base.current, isOffered);
    // An offer that says no more than what is saved by now is none.
    if (offered && Object.keys(typed(offered.texts)).length === 0) discard();
    else writeNow();
  }

  return { offered, restore, discard, writeNow, saved };
}
