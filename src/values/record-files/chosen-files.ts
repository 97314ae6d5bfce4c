// The files of a form that are chosen and not stored yet: they are kept with what is typed, and sent once the record is there.

import { useEffect, useReducer, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";

export interface Chosen {
  file: File;
  /** Says why it is not stored, after it was sent. */
  problem?: string;
  /** The service would refuse it again. */
  isRefused?: boolean;
}

/** By the names of their fields. */
export type ChosenByField = ReadonlyMap<string, Chosen>;

/** What could not be stored, and the record as it is stored. */
export interface LeftFiles {
  record: WireRecord;
  files: ChosenByField;
}

/** Resolves with the record that has the file, or with undefined where it is not stored. */
type Send = (record: WireRecord) => Promise<WireRecord | undefined>;

export interface ChosenFiles {
  of(name: string): Chosen | undefined;
  /** Undefined: none any more. */
  choose(name: string, chosen: Chosen | undefined): void;
  /** Called by the field while it is shown: what is chosen for a field that nobody is asked for is not sent. */
  show(name: string, send: Send): () => void;
  /** Says whether any is to be sent. */
  areWaiting(): boolean;
  /** Sends one after the other. */
  sendAll(record: WireRecord): Promise<LeftFiles>;
}

/** `begun`: chosen in another form of the same record. */
export function useChosenFiles(begun?: ChosenByField): ChosenFiles {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  return useState(() => createChosenFiles(new Map(begun), redraw))[0];
}

function createChosenFiles(files: Map<string, Chosen>, onChange: () => void): ChosenFiles {
  const senders = new Map<string, Send>();
  const waiting = () => [...senders].filter(([name]) => files.has(name) && !files.get(name)?.isRefused);
  return {
    of: (name) => files.get(name),
    choose(name, chosen) {
      if (chosen) files.set(name, chosen);
      else files.delete(name);
      onChange();
    },
    show(name, send) {
      senders.set(name, send);
      if (files.has(name)) onChange();
      return () => {
        senders.delete(name);
        if (files.has(name)) onChange();
      };
    },
    areWaiting: () => waiting().length > 0,
    async sendAll(first) {
      let record = first;
      for (const [, send] of waiting()) record = (await send(record)) ?? record;
      return { record, files: new Map([...files].filter(([name]) => senders.has(name))) };
    },
  };
}

/** Shows the field to the form for as long as it is drawn. */
export function useShown(files: ChosenFiles, name: string, send: Send): void {
  const [latest] = useState({ send });
  latest.send = send;
  useEffect(() => files.show(name, (record) => latest.send(record)), [files, name, latest]);
}
