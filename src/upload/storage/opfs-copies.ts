// Copies of files whose uploads have not ended, in the browser's file system (OPFS), so that they can continue.

import { takeFingerprint } from "../../../pipeline/reading/fingerprint.ts";
import type { Copies } from "../../../pipeline/runs/resumable-run.ts";
import { COPIES } from "../../browser/storage-names.ts";
import { hasRoomFor } from "./room-for-copies.ts";

/** Works in a worker. Browsers without such a file system store no copies; `keep` still returns the fingerprint. */
export function openCopies(storage: StorageManager | undefined = navigator.storage): Copies {
  const folder = async (): Promise<FileSystemDirectoryHandle | undefined> => {
    try {
      return await (await storage?.getDirectory?.())?.getDirectoryHandle(COPIES, { create: true });
    } catch {
      return undefined; // a private window, or the user refused
    }
  };
  const drop = async (id: string): Promise<void> => {
    await (await folder())?.removeEntry(id).catch(() => undefined); // it may not be there
  };
  return {
    async keep(id, file) {
      const target = (await hasRoomFor(file.size, storage)) ? await openTarget(await folder(), id) : undefined;
      if (!target) return takeFingerprint(file);
      let isWhole = true;
      try {
        return await takeFingerprint(file, (bytes) => {
          if (isWhole) isWhole = write(target, bytes);
        });
      } finally {
        if (isWhole) target.flush();
        target.close();
        if (!isWhole) await drop(id); // the disk is full after all
      }
    },
    async find(id, size) {
      const handle = await (await folder())?.getFileHandle(id).catch(() => undefined);
      const file = await handle?.getFile();
      return file?.size === size ? file : undefined;
    },
    drop,
    async bytes(ids) {
      const from = await folder();
      let sum = 0;
      for await (const one of from?.values() ?? [])
        if ("getFile" in one && ids.includes(one.name)) sum += (await (one as FileSystemFileHandle).getFile()).size;
      return sum;
    },
    async dropOthers(ids) {
      const from = await folder();
      if (!from) return;
      const names: string[] = [];
      for await (const name of from.keys()) names.push(name);
      const dropped = await Promise.allSettled(names.filter((name) => !ids.includes(name)).map((name) => from.removeEntry(name)));
      const failed = dropped.find((one) => one.status === "rejected" && !PASSING.includes((one.reason as Error).name));
      if (failed?.status === "rejected") throw failed.reason;
    },
  };
}

// Another tab has deleted it already, or works with it and deletes it itself (File System standard, "removeEntry").
const PASSING = ["NotFoundError", "NoModificationAllowedError"];

/** Types for workers, which conflict with those for pages. */
interface OpenCopy {
  truncate(size: number): void;
  write(bytes: Uint8Array): number;
  flush(): void;
  close(): void;
}

async function openTarget(folder: FileSystemDirectoryHandle | undefined, id: string): Promise<OpenCopy | undefined> {
  try {
    const handle = await folder?.getFileHandle(id, { create: true });
    const target = await (handle as { createSyncAccessHandle?(): Promise<OpenCopy> } | undefined)?.createSyncAccessHandle?.();
    target?.truncate(0);
    return target;
  } catch {
    return undefined;
  }
}

function write(target: OpenCopy, bytes: Uint8Array): boolean {
  try {
    return target.write(bytes) === bytes.length;
  } catch {
    return false;
  }
}
