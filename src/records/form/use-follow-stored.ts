// Brings a version that was saved elsewhere into the form: what the user typed stays, everything else follows.

import { type RefObject, useEffect, useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import { holdPlace } from "../../ui/focus/hold-place.ts";
import type { FormState } from "./use-record-form-state.ts";

interface FollowOptions {
  /** The stored record, as far as is known. */
  record: WireRecord | undefined;
  /** A save is under way, or may have been stored: its own answer brings the version. */
  isSaving: boolean;
  /** The same at the moment, from the press of the button on. */
  isBusy: RefObject<boolean>;
  /** Says whether a version is to be announced, though nothing is typed that it could concern. */
  isNews: (record: WireRecord) => boolean;
  /** Makes their version the base and says what is different. */
  announce: (was: WireRecord, theirs: WireRecord) => void;
}

export function useFollowStored(formState: FormState, options: FollowOptions): void {
  const latest = useRef({ ...formState, ...options });
  latest.current = { ...formState, ...options };
  const { record, isSaving } = options;
  useEffect(() => {
    if (!record || isSaving) return;
    // It waits a moment: an effect cannot change the page and measure it.
    queueMicrotask(() => {
      const { now, typed, show, isBusy, isNews, announce } = latest.current;
      const was = now.current;
      if (isBusy.current || record.version <= (was?.version ?? 0)) return;
      if (was && (Object.keys(typed()).length > 0 || isNews(record))) holdPlace(() => announce(was, record));
      else show(record, {});
    });
  }, [record, isSaving]);
}
