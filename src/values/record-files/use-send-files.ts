// Sends the files of a field with several, one after the other, each on top of the version that the one before it made.

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ApiError, NoReply } from "../../../client/errors.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type FileValue, MOST_FILES, readFileValues } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { refetchRecord } from "../../service/cache-updates.ts";
import { useChangeFile } from "../../service/files.ts";
import { idOf } from "../../service/records.ts";
import type { ChosenFiles } from "./chosen-files.ts";
import { type FormFileProps, failed, messageOf } from "./file-input.tsx";
import { isSameContent, problemOfFile } from "./file-words.ts";

type Parts = Pick<FormFileProps, "field" | "collection" | "record" | "onStored"> & { files: ChosenFiles };

/** One of several that is sent now. */
interface Running {
  /** The name under which it is chosen. */
  name: string;
  /** Percent. */
  sent: number;
  end: AbortController;
}

const MOST_TRIES = 20; // while others change the record: a large file takes a while, and goes on where it was

export function useSendFiles(parts: Parts) {
  const { field, record, files } = parts;
  const [news, setNews] = useState({ text: "", isWrong: false });
  const announce = (text: string, isWrong = false) => setNews({ text, isWrong });
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set()); // by their hashes, also while they wait for what is sent
  const { running, current, show, inLine } = useLine();
  const { latest, write, change, refetch } = useChange(parts);

  /** Resolves with the record that has the file; undefined where it is not stored. */
  function send(name: string, to: WireRecord): Promise<WireRecord | undefined> {
    return inLine(async () => {
      const file = files.of(name)?.file;
      if (!file) return undefined; // left out while it waited
      files.choose(name, { file });
      const end = new AbortController();
      const onSent = (bytes: number) => show({ name, end, sent: Math.min(100, Math.floor((100 * bytes) / (file.size || 1))) });
      onSent(0);
      try {
        const ask = (onto: WireRecord) => write.mutateAsync({ record: onto, file, signal: end.signal, onSent });
        const saved = await change(to, (now) => hasContent(now, field, file), ask);
        files.choose(name, undefined);
        announce(t("{name} is stored.", { name: file.name }));
        return saved;
      } catch (error) {
        if (!end.signal.aborted) files.choose(name, await failed(field, file, error));
        return undefined;
      }
    });
  }

  function takeOut({ name, hash }: FileValue): void {
    setLeaving((before) => new Set([...before, hash]));
    void inLine(async () => {
      if (!latest.current) return undefined;
      const { signal } = new AbortController(); // once begun it goes on, also when the form is closed
      const isOut = async (now: WireRecord) => !readFileValues(now[field.name]).some((one) => one.hash === hash);
      const ask = (onto: WireRecord) => write.mutateAsync({ record: onto, file: undefined, hash, signal, onSent: () => {} });
      return change(latest.current, isOut, ask).then(
        () => announce(t("{name} is removed.", { name })),
        (error) => announce(messageOf(field, error), true),
      );
    }).finally(() => setLeaving((before) => new Set([...before].filter((one) => one !== hash))));
  }

  function choose(given: readonly File[]): void {
    const { names, problems } = keepChosen(given, parts, latest.current);
    if (problems.length > 0) announce(problems.join(" "), true);
    else if (!record) announce(given.map(({ name }) => t("{name} is chosen. It is stored with Save.", { name })).join(" "));
    if (record) for (const name of names) void send(name, record);
  }

  function leaveOut(name: string): void {
    const file = files.of(name)?.file;
    files.choose(name, undefined);
    if (file) announce(t("{name} is not stored.", { name: file.name }));
    if (current.current?.name !== name) return;
    current.current.end.abort();
    if (record) refetch(record); // it may have been stored all the same
  }

  return { running, leaving, news, choose, send, takeOut, leaveOut };
}

/** Runs one after the other, until the form is closed. */
function useLine() {
  const [running, setRunning] = useState<Running>();
  const current = useRef<Running>(undefined);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
      current.current?.end.abort();
    };
  }, []);
  function show(next: Running | undefined): void {
    current.current = next;
    setRunning(next);
  }
  function inLine<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    const done = line.current.then(() => (isOver.current ? undefined : work().finally(() => show(undefined))));
    line.current = done.catch(() => undefined); // whoever asked hears of it
    return done;
  }
  return { running, current, show, inLine };
}

/** Others may change the record meanwhile: that is read first, so that the form shows it, and then the change goes on top of it. */
function useChange({ field, collection, record, onStored }: Parts) {
  const { client } = useServices();
  const queries = useQueryClient();
  const write = useChangeFile(client, collection, field, onStored);
  const latest = useLatest(record);
  const read = (one: WireRecord) => refetchRecord(queries, client, collection, idOf(collection, one)).catch(() => null); // the first error is shown

  async function change(
    to: WireRecord,
    isDone: (now: WireRecord) => Promise<boolean>,
    ask: (onto: WireRecord) => Promise<WireRecord>,
  ): Promise<WireRecord> {
    let onto = latest.current && latest.current.version > to.version ? latest.current : to;
    for (let tries = 1; ; tries++) {
      try {
        latest.current = await ask(onto);
        return latest.current;
      } catch (error) {
        const isOld = error instanceof ApiError && error.status === 412;
        if (!isOld && !(error instanceof NoReply)) throw error;
        const now = await read(to);
        if (now && now.version > onto.version && (await isDone(now))) {
          onStored(now);
          latest.current = now;
          return now;
        }
        if (!isOld || !now || tries === MOST_TRIES) throw error;
        onto = now;
      }
    }
  }
  return { latest, write, change, refetch: (one: WireRecord) => void read(one) };
}

/** Returns the newest version that is known. */
function useLatest(record: WireRecord | undefined): RefObject<WireRecord | undefined> {
  const latest = useRef(record);
  if (record && (latest.current?.version ?? 0) < record.version) latest.current = record;
  return latest;
}

async function hasContent(now: WireRecord, { name }: Field, file: File): Promise<boolean> {
  for (const value of readFileValues(now[name])) if (await isSameContent(file, value)) return true;
  return false;
}

/** Keeps what the field takes, as far as it has room. */
function keepChosen(given: readonly File[], { field, files }: Parts, record: WireRecord | undefined) {
  const { name: own, title, maxLength: most = MOST_FILES } = field;
  const problems: string[] = [];
  const names: string[] = [];
  for (const file of given) {
    const problem = problemOfFile(field, file);
    const waiting = files.namesOf(own);
    if (problem) problems.push(`${file.name}: ${problem}`);
    else if (readFileValues(record?.[own]).length + waiting.length >= most) {
      problems.push(t("{title} takes at most {most} files.", { title, most }));
      break;
    } else {
      const name = `${own} ${Math.max(0, ...waiting.map((one) => Number(one.split(" ")[1]))) + 1}`;
      files.choose(name, { file });
      names.push(name);
    }
  }
  return { names, problems };
}
