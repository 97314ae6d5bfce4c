// Names the keys of content in a bucket, and lists them.

import { type S3Client, S3Error } from "./s3-client.ts";

/** The keys are those of a folder of content, so that the one may be copied into the other. */
export const keyOf = (hash: string) => `${hash.slice(0, 2)}/${hash}`;
export const INCOMING = "incoming/";
export const LEAVING = "leaving/";
export const UNFINISHED = "unfinished/";

export interface Listed {
  /** Lacks the prefix. */
  key: string;
  /** Says when it was written, in ms since 1970 by the server's clock. */
  modified: number;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Lists what begins with `start`, in pages. It asks in the first version of the interface, which every server has, and goes on after the last
 * key by itself.
 */
export async function* listKeys({ place, read }: S3Client, start: string): AsyncGenerator<Listed> {
  const prefix = place.prefix + start;
  for (let marker = ""; ; ) {
    const answer = await read({ method: "GET", query: { prefix, ...(marker && { marker }) } });
    const page = answer?.text ?? "";
    if (!page.includes("<ListBucketResult")) throw new S3Error("S3 answered GET with no list", { status: 200, code: "NoList" });
    const before = marker;
    for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      marker = decode(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? "");
      const modified = Date.parse(/<LastModified>(.*?)<\/LastModified>/.exec(entry)?.[1] ?? "");
      yield { key: marker.slice(place.prefix.length), modified };
    }
    if (!/<IsTruncated>true</.test(page) || marker === before) return;
  }
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (all, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? all;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
