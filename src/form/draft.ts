// Keeps what is typed while it is typed, and offers on return what was not saved. Where it is kept is given to it.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Fields } from "../../dictionary/check.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import type { Draft } from "./drafts.ts";
import type { Texts } from "./field-text.ts";

const WRITTEN_EVERY_MS = 400;

/** The drafts of one form. */
export interface DraftKeeper {
  read(): Promise<Draft | undefined>;
  write(draft: Draft): Promise<void>;
  /** Also what was typed on after the new record `base` was made. */
  clear(base: WireRecord | undefined): Promise<void>;
  /** The user goes on with this draft. */
  restored(draft: Draft): void;
}

export interface KeptDraft {
  /** Typed at another time and not saved. */
  offered: Draft | undefined;
  restore(): void;
  discard(): void;
  /** Writes at once what stands in the form. */
  keepNow(): void;
  /** Everything that was typed up to now is saved. */
  saved(): void;
}

interface DraftParts {
  form: UseFormReturn<Texts, unknown, Fields>;
  /** The texts that are not what the base says. */
  typed: (texts?: Texts) => Texts;
  base: React.RefObject<WireRecord | undefined>;
  keeper: DraftKeeper;
  /** Puts the texts into the form, joined with what was saved since `was`. */
  join: (was: WireRecord, theirs: WireRecord, texts: Texts) => void;
}

export function useDraft({ form, typed, base, keeper, join }: DraftParts): KeptDraft {
  const [offered, setOffered] = useState<Draft>();
  const [isRead, setRead] = useState(false);
  const kept = useRef({ keeper, typed, isOffered: true });
  kept.current = { keeper, typed, isOffered: offered !== undefined || !isRead };
  const timer = useRef<number>(undefined);

  /** What is typed back to what is stored is no draft; one that is on offer stays until the user says. */
  const keepNow = useRef(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const texts = kept.current.typed();
    if (Object.keys(texts).length > 0) kept.current.keeper.write({ texts, base: base.current, typedAt: Date.now() });
    else if (!kept.current.isOffered) kept.current.keeper.clear(base.current);
  }).current;

  useEffect(() => {
    let isHere = true;
    kept.current.keeper.read().then((draft) => {
      if (!isHere) return;
      if (draft && Object.keys(kept.current.typed(draft.texts)).length > 0) setOffered(draft);
      setRead(true);
    });
    return () => {
      isHere = false;
    };
  }, []);

  useEffect(() => {
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        timer.current ??= window.setTimeout(keepNow, WRITTEN_EVERY_MS);
      },
    });
    const keepLast = () => timer.current !== undefined && keepNow();
    window.addEventListener("pagehide", keepLast);
    return () => {
      unsubscribe();
      window.removeEventListener("pagehide", keepLast);
      keepLast();
    };
  }, [form, keepNow]);

  function restore(): void {
    if (!offered) return;
    setOffered(undefined);
    keeper.restored(offered);
    const now = base.current;
    if (now && offered.base && offered.base.version !== now.version) join(offered.base, now, offered.texts);
    else for (const [name, text] of Object.entries(offered.texts)) form.setValue(name, text, { shouldDirty: true });
  }

  function discard(): void {
    setOffered(undefined);
    keeper.clear(base.current);
  }

  function saved(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    setOffered(undefined);
    keeper.clear(base.current);
  }

  return { offered, restore, discard, keepNow, saved };
}
