// Everything that a page's origin keeps in the browser, whatever the app says of it.

import type { Page } from "@playwright/test";

/** One thing that is kept: where, under which key, and what, as text. */
export interface Kept {
  store: "indexedDB" | "localStorage" | "sessionStorage" | "caches" | "files" | "cookies";
  /** Names the database and the object store of IndexedDB. */
  place: string;
  key: string;
  value: string;
}

/** Every database, key of both storages, cached response, file and cookie that a script can see. */
export function browserStores(page: Page): Promise<Kept[]> {
  return page.evaluate(async () => {
    const kept: Kept[] = [];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name));
      for (const store of db.objectStoreNames) {
        const [keys, values] = [
          await done(db.transaction(store).objectStore(store).getAllKeys()),
          await done(db.transaction(store).objectStore(store).getAll()),
        ];
        for (const [i, key] of keys.entries()) {
          const value = values[i] instanceof Blob ? await values[i].text() : JSON.stringify(values[i]);
          kept.push({ store: "indexedDB", place: `${name}/${store}`, key: JSON.stringify(key), value });
        }
      }
      db.close();
    }
    for (const [store, area] of [
      ["localStorage", localStorage],
      ["sessionStorage", sessionStorage],
    ] as const)
      for (const key of Object.keys(area)) kept.push({ store, place: "", key, value: area.getItem(key) ?? "" });
    for (const place of await caches.keys())
      for (const { url } of await (await caches.open(place)).keys()) kept.push({ store: "caches", place, key: url, value: "" });
    const read = async (folder: FileSystemDirectoryHandle, place: string): Promise<void> => {
      for await (const [key, one] of folder.entries()) {
        if (one.kind === "directory") await read(one as FileSystemDirectoryHandle, `${place}${key}/`);
        else kept.push({ store: "files", place, key, value: await (await (one as FileSystemFileHandle).getFile()).text() });
      }
    };
    await read(await navigator.storage.getDirectory(), "");
    if (document.cookie) kept.push({ store: "cookies", place: "", key: document.cookie, value: "" });
    return kept;
  });
}
