// The files of a form that are chosen and not stored yet. They are sent once the record is there.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { idOf } from "../../service/records.ts";

export interface Chosen {
  file: File;
  /** Says why it is not stored, after it was sent. */
  problem?: string;
  /** The service would refuse it again. */
  isRefused?: boolean;
}

/** Holds them by the names of their fields; of several in one field with a number behind it. */
export type ChosenByField = ReadonlyMap<string, Chosen>;

/** Says what could not be stored, with the record as it is stored. */
export interface LeftFiles {
  record: WireRecord;
  files: ChosenByField;
  /** Leaves them to the page of the record. */
  passOn(queries: QueryClient, collection: Collection): void;
}

/** Resolves with the record that has the file, or with undefined where it is not stored. */
type Send = (record: WireRecord) => Promise<WireRecord | undefined>;

export interface ChosenFiles {
  of(name: string): Chosen | undefined;
  /** Lists the names under which a field with several has them: each has one of its own. */
  namesOf(field: string): string[];
  /** Undefined: none any more. */
  choose(name: string, chosen: Chosen | undefined): void;
  /** Is called by the field while it is shown: what is chosen for a field that nobody is asked for is not sent. */
  show(name: string, send: Send): () => void;
  /** Says whether any is to be sent. */
  areWaiting(): boolean;
  /** Sends one after the other. */
  sendAll(record: WireRecord): Promise<LeftFiles>;
}

/** Keeps what a form holds of them. They are made by the first field that is drawn: most forms have none. */
export interface FileBox {
  files?: ChosenFiles;
  /** Draws the form again. */
  redraw: () => void;
}

/** A stored record begins with those that the form in which it was new could not store. */
export function useChosenFiles(box: FileBox, collection: Collection, record: WireRecord | undefined): ChosenFiles {
  const queries = useQueryClient();
  box.files ??= createChosenFiles(new Map(record && takeLeft(queries, collection, idOf(collection, record))), box.redraw);
  return box.files;
}

/** Stands beside what is cached of the service, which is forgotten when somebody else signs in. */
const keyOf = ({ name }: Collection, id: number) => ["chosenFiles", name, id];

/** They are there once. */
function takeLeft(queries: QueryClient, collection: Collection, id: number): ChosenByField | undefined {
  const files = queries.getQueryData<ChosenByField>(keyOf(collection, id));
  queries.removeQueries({ queryKey: keyOf(collection, id) });
  return files;
}

function createChosenFiles(files: Map<string, Chosen>, onChange: () => void): ChosenFiles {
  const senders = new Map<string, Send>();
  const waiting = () => [...senders].filter(([name]) => files.has(name) && !files.get(name)?.isRefused);
  return {
    of: (name) => files.get(name),
    namesOf: (field) => [...files.keys()].filter((name) => name.startsWith(`${field} `)),
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
      const left = new Map([...files].filter(([name]) => senders.has(name)));
      const passOn: LeftFiles["passOn"] = (queries, collection) => queries.setQueryData(keyOf(collection, idOf(collection, record)), left);
      return { record, files: left, passOn };
    },
  };
}

/** Shows the field to the form for as long as it is drawn. */
export function useShown(files: ChosenFiles, name: string, send: Send): void {
  const [latest] = useState({ send });
  latest.send = send;
  useEffect(() => files.show(name, (record) => latest.send(record)), [files, name, latest]);
}
