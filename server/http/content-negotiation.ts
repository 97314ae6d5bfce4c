// Accept, Accept-Encoding and Content-Type (RFC 9110 sections 8.3 and 12.5).

/** The media type without its parameters, in lower case; "" without a header. */
export function mediaType(header: string | undefined): string {
  return header === undefined ? "" : (header.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Whether an Accept header accepts `type`. */
export function accepts(header: string | undefined, type: string): boolean {
  return quality(header, type) > 0;
}

/** The type with the highest quality in the header; the earlier one of `types` where they are equal. */
export function preferred<T extends string>(header: string | undefined, types: readonly [T, ...T[]]): T {
  return types.reduce((best, type) => (quality(header, type) > quality(header, best) ? type : best), types[0]);
}

/** Whether the answer may be compressed by gzip. `identity;q=0` alone does not accept it. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && quality(header, "gzip", ["gzip", "*"]) > 0;
}

/** 0 to 1. The most specific range that matches decides, also with q=0. */
function quality(header: string | undefined, type: string, ranges = [type, `${type.slice(0, type.indexOf("/"))}/*`, "*/*"]): number {
  if (header === undefined || header === "" || header === "*/*") return 1;
  let best = ranges.length;
  let found = 0;
  for (const range of header.split(",")) {
    const rank = ranges.indexOf(mediaType(range));
    if (rank === -1 || rank >= best) continue;
    best = rank;
    found = Number(/;\s*q=([01](?:\.[0-9]{0,3})?)\s*(?:;|$)/i.exec(range)?.[1] ?? 1);
  }
  return found;
}
