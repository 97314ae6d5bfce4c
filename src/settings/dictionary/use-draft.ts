// Holds a draft of the dictionary while somebody edits it, and stores each change a moment later.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import type { Package } from "../../../core/dictionary/packages.ts";
import { useUnsavedChanges } from "../../app/navigation/unsaved-changes.ts";
import { useServices } from "../../app/services/services.ts";
import { changeDraft, draftQuery, type OpenDraft } from "../../service/dictionary-drafts.ts";
import { mergeDrafts } from "./merge-drafts.ts";

const PAUSE = 400; // ms after the last change

export interface EditedDraft {
  draft: OpenDraft | undefined;
  /** Is undefined while something is not stored yet. */
  etag: string | null | undefined;
  /** Says why the draft cannot be read, or what was not stored. */
  error: Error | null;
  /** Somebody else has changed the draft: the places that both changed, which are as they left them. Undefined: nobody has. */
  overtaken: readonly string[] | undefined;
  change: (edit: (all: Package) => Package) => void;
  retry: () => void;
}

export function useDraft(id: string): EditedDraft {
  const { client } = useServices();
  const queries = useQueryClient();
  const query = draftQuery(client, id);
  const { data, error, refetch } = useQuery(query);
  const [edited, setEdited] = useState<Package>();
  const [failure, setFailure] = useState<Error>();
  const [overtaken, setOvertaken] = useState<readonly string[]>();
  const unsaved = useUnsavedChanges();
  const latest = useRef<Package>(undefined);
  const saving = useRef<Promise<void>>(undefined);

  const save = useCallback(async () => {
    const text = latest.current;
    const stored = queries.getQueryData(query.queryKey);
    if (!text || !stored) return;
    try {
      const next = await changeDraft(client, id, { package: text }, stored.etag);
      queries.setQueryData(query.queryKey, next);
      setFailure(undefined);
      if (latest.current !== text) return await save();
      latest.current = undefined;
      unsaved.current = false;
      setEdited(undefined);
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.status === 412)) return setFailure(problem as Error);
      await queries.refetchQueries({ queryKey: query.queryKey, exact: true });
      const theirs = queries.getQueryData(query.queryKey);
      if (!theirs || theirs.etag === stored.etag) return setFailure(problem);
      const { merged, conflicts } = mergeDrafts(stored.now.package, latest.current ?? text, theirs.now.package);
      latest.current = merged;
      setEdited(merged);
      setOvertaken(conflicts);
      await save();
    }
  }, [client, queries, id, unsaved, query.queryKey]);
  const saveOnce = useRef(() => {});
  saveOnce.current = () => {
    saving.current ??= save().finally(() => {
      saving.current = undefined;
    });
  };

  useEffect(() => {
    if (!edited) return;
    const timer = setTimeout(() => saveOnce.current(), PAUSE);
    return () => clearTimeout(timer);
  }, [edited]);
  useEffect(() => () => saveOnce.current(), []); // the page is left before the pause is over

  const now = data?.now;
  const change = (edit: (all: Package) => Package) => {
    const before = latest.current ?? queries.getQueryData(query.queryKey)?.now.package;
    if (!before) return;
    latest.current = edit(before);
    unsaved.current = true;
    setOvertaken(undefined);
    setEdited(latest.current);
  };
  return {
    draft: now && { ...now, package: edited ?? now.package },
    etag: edited ? undefined : data?.etag,
    error: failure ?? (data ? null : error),
    overtaken,
    change,
    retry: () => (failure ? saveOnce.current() : void refetch()),
  };
}
