// Accept and Content-Type, read as RFC 9110 says (sections 8.3 and 12.5.1). Knows no door.

/** The type without its parameters, in small letters; "" without a header. */
export function mediaType(header: string | undefined): string {
  return header === undefined ? "" : (header.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Whether an Accept header lets `type` through. The most exact range that fits decides, also when it says q=0. */
export function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined || header === "" || header === "*/*" || header === type) return true;
  const main = type.slice(0, type.indexOf("/"));
  const exactness = [type, `${main}/*`, "*/*"];
  let best = exactness.length;
  let accepted = false;
  for (const range of header.split(",")) {
    const rank = exactness.indexOf(mediaType(range));
    if (rank === -1 || rank >= best) continue;
    best = rank;
    accepted = !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i.test(range);
  }
  return accepted;
}
