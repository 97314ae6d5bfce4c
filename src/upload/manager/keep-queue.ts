// Keeps the files that wait on this computer, and brings them back after a reload or in another tab.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { timeToStore } from "../../browser/clock.ts";
import { openQueues, QUEUE_LOCK, type Queues, type StoredQueue } from "../storage/indexeddb-queues.ts";
import { hasRoomFor } from "../storage/room-for-copies.ts";
import type { FileQueue, List, QueuedFile } from "./queued-files.ts";
import type { UploadManager } from "./upload-manager.ts";

type KeptFile = Omit<QueuedFile, "file" | "copy">;

/** Leaves out what only this tab has. The copies of files stand beside it. */
interface StoredContent extends Pick<FileQueue, "isAutomatic" | "decided"> {
  files: KeptFile[];
}

interface OwnQueue {
  id: string;
  collection: string;
  copied: Set<number>;
  letGo(): void;
}

export class QueueKeeper {
  readonly #manager: UploadManager;
  readonly #list: List;
  readonly #stored: Queues<StoredContent>;
  /** Is undefined where a page has none, as without TLS: then it works as if it were the only one. */
  readonly #locks: LockManager | undefined = globalThis.navigator?.locks;
  /** The queue of this tab, as it is stored, with the files of which there are copies. */
  #own: OwnQueue | undefined;
  #last: FileQueue | undefined;
  #isWriting = false;

  constructor(manager: UploadManager, list: List) {
    this.#manager = manager;
    this.#list = list;
    this.#stored = openQueues(manager.person());
  }

  /** Stores what has changed since it was last called. */
  follow = (): void => {
    if (this.#list.queue() === this.#last) return;
    this.#last = this.#list.queue();
    if (!this.#isWriting) void this.#write();
  };

  /** Takes over a queue that no other tab has, as soon as there is one. Does nothing once this tab has a queue. */
  async restore(collection: Collection, signal: AbortSignal, onRestored: () => void): Promise<void> {
    for (const { id } of await this.#storedOf(collection)) {
      const take = () => this.#take(id, collection, signal, onRestored);
      // It also waits for one that is taken: a page that is being reloaded may not have let go yet.
      const taken = this.#locks ? this.#locks.request(QUEUE_LOCK + id, { signal }, take) : take();
      taken.catch(() => undefined); // the page was left
    }
  }

  #storedOf({ name }: Collection): Promise<StoredQueue<StoredContent>[]> {
    const all = this.#stored.list().catch(() => []);
    return all.then((queues) => queues.filter(({ collection }) => collection === name));
  }

  /** Resolves when the lock may go. */
  async #take(id: string, collection: Collection, signal: AbortSignal, onRestored: () => void): Promise<void> {
    const kept = (await this.#storedOf(collection)).find((one) => one.id === id);
    const copies = await this.#stored.files(id).catch(() => new Map<number, File>());
    if (!kept || signal.aborted || this.#list.queue()) return;
    const { isAutomatic, decided, files } = kept.content;
    await new Promise<void>((letGo) => {
      this.#own = { id, collection: collection.name, copied: new Set(copies.keys()), letGo };
      const restored = files.map((one) => restoredFile(one, copies.get(one.id)));
      this.#manager.setQueue({ collection, isAutomatic, decided, files: restored });
      onRestored();
    });
  }

  /** Writes until what is stored is what there is. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    for (let written: FileQueue | undefined | null = null; written !== this.#list.queue(); ) {
      written = this.#list.queue();
      // The browser stores nothing, or the disk is full: the page says what is not kept.
      await (written?.files.some(isNeeded) ? this.#put(written) : this.#drop()).catch(() => undefined);
    }
    this.#isWriting = false;
  }

  async #put(queue: FileQueue): Promise<void> {
    const { isAutomatic, decided, collection } = queue;
    const own = this.#own?.collection === collection.name ? this.#own : this.#begin(collection.name);
    const { id, copied } = own;
    const files = queue.files.map(({ file: _, copy: __, ...known }) => known);
    const content = { isAutomatic, ...(decided && { decided }), files };
    const kept = { id, collection: collection.name, storedAt: timeToStore(), content };
    await this.#stored.put(kept).catch(() => undefined); // then there are no copies either, which is said
    for (const one of [...copied]) {
      if (queue.files.some((each) => each.id === one && each.is !== "done")) continue;
      copied.delete(one);
      await this.#stored.dropFile(id, one);
    }
    const next = queue.files.find(({ is, file, copy }) => is !== "done" && file && !copy);
    if (next?.file) await this.#copy(own, next.id, next.file); // one at a time: it changes the queue
  }

  async #copy(own: OwnQueue, id: number, file: File): Promise<void> {
    const isWanted = () => this.#list.queue()?.files.some((one) => one.id === id);
    let copy: "kept" | "none" = "none";
    try {
      const hasRoom = await hasRoomFor(file.size);
      if (!hasRoom || this.#own !== own || !isWanted()) return;
      await this.#stored.putFile(own.id, id, file);
      own.copied.add(id);
      copy = "kept";
    } finally {
      this.#list.changeFile(id, { copy });
    }
  }

  /** What is stored for another collection stays for a later visit. */
  #begin(collection: string): OwnQueue {
    this.#own?.letGo();
    const id = `${this.#manager.person()} ${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    const own = { id, collection, copied: new Set<number>(), letGo: () => {} };
    this.#own = own;
    void this.#locks?.request(
      QUEUE_LOCK + id,
      () =>
        new Promise<void>((letGo) => {
          if (this.#own === own) own.letGo = letGo;
          else letGo();
        }),
    );
    return own;
  }

  async #drop(): Promise<void> {
    const own = this.#own;
    this.#own = undefined;
    if (own) await this.#stored.drop(own.id);
    own?.letGo();
  }
}

/** Files that are refused alone are not worth coming back for. */
function isNeeded({ is }: QueuedFile): boolean {
  return is !== "done" && is !== "refused";
}

function restoredFile(one: KeptFile, file: File | undefined): QueuedFile {
  if (file) return { ...one, file, copy: "kept" };
  return one.is === "done" ? one : { ...one, is: "absent" };
}
