// Finds the media type of content by its first bytes. The end of a name is believed where they agree.

/** Bytes that are looked at. */
export const HEAD_BYTES = 4_096;

type Signature = readonly [type: string, at: number, bytes: readonly number[]];

const ascii = (text: string) => [...text].map((sign) => sign.charCodeAt(0));

/** Lists the signatures of the WHATWG's "MIME Sniffing", and those of archives and office files. */
const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/gif", 0, ascii("GIF8")],
  ["image/webp", 8, ascii("WEBP")],
  ["image/tiff", 0, [0x49, 0x49, 0x2a, 0x00]],
  ["image/tiff", 0, [0x4d, 0x4d, 0x00, 0x2a]],
  ["image/bmp", 0, ascii("BM")],
  ["application/pdf", 0, ascii("%PDF-")],
  ["application/zip", 0, [0x50, 0x4b, 0x03, 0x04]],
  ["application/gzip", 0, [0x1f, 0x8b]],
  ["application/x-7z-compressed", 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["application/x-ole-storage", 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ["audio/mpeg", 0, ascii("ID3")],
  ["audio/ogg", 0, ascii("OggS")],
  ["audio/wav", 8, ascii("WAVE")],
  ["video/webm", 0, [0x1a, 0x45, 0xdf, 0xa3]],
];

/** Reads the brand in the first box of ISO base media files (ISO/IEC 14496-12). */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^avi[fs]/, "image/avif"],
  [/^(?:heic|heix|hevc|heim|heis|mif1|msf1)/, "image/heic"],
  [/^qt {2}/, "video/quicktime"],
  [/^M4A /, "audio/mp4"],
];

const OPEN_XML = "application/vnd.openxmlformats-officedocument.";
const IN_ZIP: Readonly<Record<string, string>> = {
  docx: `${OPEN_XML}wordprocessingml.document`,
  xlsx: `${OPEN_XML}spreadsheetml.sheet`,
  pptx: `${OPEN_XML}presentationml.presentation`,
};
const IN_OLE: Readonly<Record<string, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  msg: "application/vnd.ms-outlook",
};
const IN_TEXT: Readonly<Record<string, string>> = { csv: "text/csv", json: "application/json", md: "text/markdown" };

const UNKNOWN = "application/octet-stream";

/** Finds the media type. `head`: the first bytes, HEAD_BYTES at most. `name`: of the file; its end chooses among types whose bytes begin alike. */
export function mediaTypeOf(head: Buffer, name: string): string {
  const end = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const found = SIGNATURES.find(([, at, bytes]) => bytes.every((byte, i) => head[at + i] === byte))?.[0];
  if (found === "application/zip") return inZip(head, end);
  if (found === "application/x-ole-storage") return IN_OLE[end] ?? found;
  if (found) return found;
  if (head.toString("latin1", 4, 8) === "ftyp") {
    const brand = head.toString("latin1", 8, 12);
    return BRANDS.find(([form]) => form.test(brand))?.[1] ?? "video/mp4";
  }
  const text = textIn(head);
  return text === undefined ? UNKNOWN : ofText(text, end);
}

const ZIP_HEADER = 30; // bytes before the name of the first entry

/** An office file of today is an archive: OpenDocument names its type in the first entry, and no archive is a PDF. Office is known by what it has. */
function inZip(head: Buffer, end: string): string {
  if (head.length < ZIP_HEADER) return "application/zip";
  const first = head.toString("latin1", ZIP_HEADER, ZIP_HEADER + head.readUInt16LE(26));
  if (first === "mimetype") {
    const [type] = /^application\/(?:vnd\.[\w.+-]+|[\w.-]+\+zip)/.exec(head.toString("latin1", 38, 138).split("PK", 1)[0] ?? "") ?? [];
    return type ?? "application/zip";
  }
  const isOffice = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(first);
  return (isOffice && IN_ZIP[end]) || "application/zip";
}

/** Returns the text of the bytes, or undefined where they are none. The last character may be cut. */
function textIn(head: Buffer): string | undefined {
  if (head.length === 0) return undefined;
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide) return head.toString(head[0] === 0xff ? "utf16le" : "latin1").replaceAll("\0", "");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(head);
  const isCut = head.length >= HEAD_BYTES;
  const whole = isCut ? text.replace(/\ufffd{1,3}$/, "") : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that no text has are what is looked for
  return /[\ufffd\u0000-\u0008\u000e-\u001a]/.test(whole) ? undefined : whole;
}

/** What a browser could run is found wherever it begins in the text, so that nothing is taken for plain text that is none. */
function ofText(text: string, end: string): string {
  if (/<svg[\s>]/i.test(text)) return "image/svg+xml";
  if (/<(?:!doctype\s+html|html|head|body|script|iframe|style|title)[\s>]/i.test(text)) return "text/html";
  if (/^\ufeff?\s*<\?xml/.test(text)) return "application/xml";
  return IN_TEXT[end] ?? "text/plain";
}

/** Returns the type under which content is sent. What a browser could run goes as bytes of no kind. */
export function sentType(type: string): string {
  return /^(?:image\/(?!svg)|audio\/|video\/)|^application\/(?:pdf|zip|gzip|json|msword|vnd\.)|^text\/(?:plain|csv|markdown)$/.test(type)
    ? type
    : UNKNOWN;
}
