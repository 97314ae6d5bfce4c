// Reads XML piece by piece, as far as office documents use it: tags, text and character references.

import { t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { damagedFile } from "./zip-directory.ts";

/** The part of XML that a reader knows. Nothing else is read, however it is named. */
export interface Vocabulary {
  /** The prefix by which the reader knows each namespace (URI → prefix), whatever prefix the document has for it; "" for none. */
  prefixes: Readonly<Record<string, string>>;
  /** Elements that are passed over with all that stands in them, such as `extLst`. */
  skips: ReadonlySet<string>;
}

/**
 * Gets elements of the known namespaces alone, without what stands in others. Names come without their prefix. `attributes` is the
 * text within the tag, with the reader's prefixes: read it with `readAttribute`.
 */
export interface XmlHandler {
  open(name: string, attributes: string, isEmpty: boolean): void;
  close(name: string): void;
  /** Gets text with its character references replaced, and in several pieces when it is long or has tags within it. */
  text(text: string): void;
}

const LONGEST_TAG = 4 * 1024 * 1024; // UTF-16 units of a tag or a comment
const LONGEST_TEXT = 256 * 1024; // UTF-16 units that wait for the tag behind them; no cell has so many
const LONGEST_REFERENCE = 12; // UTF-16 units

/** Holds what the prefixes of a document mean, from the element at `depth` to its end. `hasAliases`: some are not the reader's own. */
interface Scope {
  depth: number;
  known: ReadonlyMap<string, string | undefined>;
  hasAliases: boolean;
}

/** Throws FileError for a document type, which could define entities, for another vocabulary, and for what is no XML. */
export class XmlScanner {
  readonly #handler: XmlHandler;
  readonly #vocabulary: Vocabulary;
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #outer: Scope[] = [];
  /** A document that declares no namespaces is read as if it had declared the reader's. */
  #scope: Scope;
  #depth = 0;
  /** Counts the open elements within one that is passed over, itself included. */
  #skipped = 0;
  #rest = "";
  /** UTF-16 units that the rest must have before it is looked through once more. */
  #enough = 0;

  constructor(handler: XmlHandler, vocabulary: Vocabulary) {
    this.#handler = handler;
    this.#vocabulary = vocabulary;
    this.#prefixes = new Map(Object.entries(vocabulary.prefixes));
    const known = new Map([...this.#prefixes.values()].map((prefix) => [prefix, prefix]));
    this.#scope = { depth: 0, known, hasAliases: false };
  }

  push(chunk: string): void {
    const text = this.#rest + chunk;
    if (text.length < this.#enough) {
      this.#rest = text;
      return;
    }
    let at = 0;
    for (;;) {
      const start = text.indexOf("<", at);
      if (start === -1) break;
      if (start > at) this.#text(text.slice(at, start));
      at = start;
      const end = this.#tag(text, start);
      if (end === -1) break;
      at = end;
    }
    this.#rest = at === 0 ? text : text.slice(at);
    // A tag that is longer than a piece is looked through again only when it has doubled, so that its cost stays linear.
    this.#enough = at === 0 ? 2 * text.length : 0;
    if (this.#rest.length > LONGEST_TEXT && !this.#rest.includes("<")) this.#handOver();
    if (this.#rest.length > LONGEST_TAG) throw damagedFile();
  }

  /** Handles what waited for more. Throws FileError when the document ends within a tag. */
  end(): void {
    this.#enough = 0;
    this.push("");
    if (this.#rest.includes("<") || this.#skipped > 0) throw damagedFile();
  }

  /** Hands over a text that has no end yet, but for what may be the beginning of a character reference. */
  #handOver(): void {
    const reference = this.#rest.lastIndexOf("&");
    const end = reference > this.#rest.length - LONGEST_REFERENCE ? reference : this.#rest.length;
    this.#text(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
    this.#enough = 0;
  }

  #text(raw: string): void {
    if (this.#skipped === 0) this.#handler.text(unescapeXml(raw));
  }

  /** Handles the tag at `start`. Returns where it ends; −1 when its end is not there yet. */
  #tag(text: string, start: number): number {
    const code = text.charCodeAt(start + 1);
    if (code === SLASH) {
      const end = text.indexOf(">", start);
      if (end !== -1) this.#close(text.slice(start + 2, end).trimEnd());
      return end + 1 || -1;
    }
    if (code === BANG) return this.#declaration(text, start);
    if (code === QUESTION) return after(text, "?>", start);
    const end = endOfTag(text, start);
    if (end === -1) return -1;
    const isEmpty = text.charCodeAt(end - 1) === SLASH;
    const stop = isEmpty ? end - 1 : end;
    let nameEnd = start + 1;
    while (nameEnd < stop && text.charCodeAt(nameEnd) > SPACE) nameEnd++;
    const name = text.slice(start + 1, nameEnd);
    this.#open(name, nameEnd < stop ? text.slice(nameEnd, stop) : "", isEmpty);
    if (isEmpty) this.#close(name);
    return end + 1;
  }

  #open(qualified: string, attributes: string, isEmpty: boolean): void {
    this.#depth++;
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    if (attributes.includes("xmlns")) this.#declare(attributes);
    const colon = qualified.indexOf(":");
    const isKnown = this.#scope.known.get(colon === -1 ? "" : qualified.slice(0, colon)) !== undefined;
    if (!isKnown && this.#depth === 1) throw otherVocabulary();
    const name = qualified.slice(colon + 1);
    if (!isKnown || this.#vocabulary.skips.has(name)) this.#skipped = 1;
    else this.#handler.open(name, this.#scope.hasAliases ? this.#renamed(attributes) : attributes, isEmpty);
  }

  #close(qualified: string): void {
    if (this.#skipped > 0) this.#skipped--;
    else this.#handler.close(qualified.slice(qualified.indexOf(":") + 1));
    if (this.#depth === this.#scope.depth) this.#scope = this.#outer.pop() ?? this.#scope;
    this.#depth--;
  }

  #declare(attributes: string): void {
    const known = new Map(this.#scope.known);
    for (const [, prefix, name = "", value = ""] of attributes.matchAll(ATTRIBUTES)) {
      if (prefix !== "xmlns" && (prefix !== undefined || name !== "xmlns")) continue;
      known.set(prefix === undefined ? "" : name, this.#prefixes.get(unescapeXml(value.slice(1, -1))));
    }
    const own = [...this.#prefixes.values()];
    const hasAliases = [...known].some(([prefix, meant]) => prefix !== "" && meant !== prefix && (meant || own.includes(prefix)));
    this.#outer.push(this.#scope);
    this.#scope = { depth: this.#depth, known, hasAliases };
  }

  #renamed(attributes: string): string {
    return attributes.replace(ATTRIBUTES, (whole, prefix: string | undefined, name: string, value: string) =>
      prefix === undefined ? whole : `${this.#scope.known.get(prefix) || "-"}:${name}=${value}`,
    );
  }

  #declaration(text: string, start: number): number {
    if (text.startsWith("<!--", start)) return after(text, "-->", start);
    if (text.startsWith("<![CDATA[", start)) {
      const end = text.indexOf("]]>", start);
      if (end !== -1 && this.#skipped === 0) this.#handler.text(text.slice(start + 9, end));
      return end === -1 ? -1 : end + 3;
    }
    if (text.length - start < 9) return -1;
    throw otherVocabulary();
  }
}

/** A name begins only behind a space or a quotation mark. Tried at every character, a long text that is none would take the square of its length. */
const ATTRIBUTES = /(?<![^\s"'])(?:([^\s=:"']+):)?([^\s=:"']+)\s*=\s*("[^"]*"|'[^']*')/g;

function otherVocabulary(): FileError {
  return new FileError(t("This file is not a spreadsheet as programs write it."), t("Save it again in its program, then choose it."));
}

const [SPACE, BANG, QUOTE, APOSTROPHE, SLASH, GREATER, QUESTION] = [0x20, 0x21, 0x22, 0x27, 0x2f, 0x3e, 0x3f];

function after(text: string, mark: string, start: number): number {
  const end = text.indexOf(mark, start);
  return end === -1 ? -1 : end + mark.length;
}

/** Finds the “>” that ends the tag. One within an attribute's quotation marks does not. Each character is looked at once: a tag may be long. */
function endOfTag(text: string, start: number): number {
  let mark = 0;
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (mark !== 0) {
      if (code === mark) mark = 0;
    } else if (code === GREATER) return i;
    else if (code === QUOTE || code === APOSTROPHE) mark = code;
  }
  return -1;
}

/** Returns the value of an attribute, whose name has the reader's prefix if any; undefined when the tag has none. */
export function readAttribute(attributes: string, name: string): string | undefined {
  for (let at = 0; ; ) {
    const equals = attributes.indexOf("=", at);
    if (equals === -1) return undefined;
    let quote = equals + 1;
    while (attributes.charCodeAt(quote) <= SPACE) quote++;
    const mark = attributes[quote];
    const end = mark === '"' || mark === "'" ? attributes.indexOf(mark, quote + 1) : -1;
    if (end === -1) return undefined;
    if (isNamed(attributes, at, equals, name)) return unescapeXml(attributes.slice(quote + 1, end));
    at = end + 1;
  }
}

/** Says whether the text before the equals sign is the name. */
function isNamed(attributes: string, from: number, equals: number, name: string): boolean {
  let end = equals;
  while (end > from && attributes.charCodeAt(end - 1) <= SPACE) end--;
  const start = end - name.length;
  if (start < from || !attributes.startsWith(name, start)) return false;
  return start === 0 || attributes.charCodeAt(start - 1) <= SPACE;
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

export function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
