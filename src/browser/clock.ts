// Finds what is too old to be kept. The clock of this computer may be wrong; the host of the app has one, too.

const PATIENCE_MS = 5_000;

let asking: Promise<void> | undefined;
/** Add performance.now() to get the time of the host, epoch ms. 0 while it is not known. */
let since = 0;

/** Goes by its answer to a request for the page, or in a worker for the script. What fails is tried again at the next call. */
function askHost(): Promise<void> {
  const url = globalThis.document?.baseURI ?? `${globalThis.location}`;
  asking ??= fetch(url, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) })
    .then(({ headers }) => {
      since = Date.parse(headers.get("Date") ?? "") - performance.now() || 0;
    })
    .catch(() => {
      asking = undefined;
    });
  return asking;
}

/** Dates what is stored now by the clock that is ahead, so that what was stored on a slow one is not old when the clock is set right. */
export function timeToStore(): number {
  void askHost(); // what is stored before it answers has the time of here
  return Math.max(Date.now(), since + performance.now());
}

/** Returns those that were stored longer than `age` ms ago by both clocks. None while the host does not answer. */
export async function olderThan<T>(age: number, all: readonly T[], storedAt: (one: T) => number): Promise<T[]> {
  const here = all.filter((one) => Date.now() - storedAt(one) > age);
  if (here.length > 0) await askHost();
  return here.filter((one) => since + performance.now() - storedAt(one) > age);
}
