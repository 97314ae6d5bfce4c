// Finds where a text stops being JSON (RFC 8259). Each version of Node words that in another way, or not at all.

export interface JsonFault {
  /** The index of the first character that no JSON can have there; the length of a text that ends too early. */
  at: number;
  /** The value that it stands in (RFC 6901); empty for the whole text. */
  pointer: string;
}

/**
 * Returns undefined for valid JSON. `text` must not be nested so deep that the stack ends. It yields after each value of an array, because it
 * reads slower than JSON.parse: 7 MB take a tenth of a second, in which nothing else would run.
 */
export function* findJsonFault(text: string): Generator<void, JsonFault | undefined> {
  const reader = new Reader(text);
  return (yield* reader.document()) ? undefined : { at: reader.at, pointer: reader.pointer() };
}

/**
 * Finds where each member's name and each item of an array begins in valid JSON: JSON pointer → index. Of a name that stands twice in one
 * object both indexes, one behind the other.
 */
export function jsonPlaces(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  const steps = new Reader(text, (pointer, at) => places.set(pointer, [...(places.get(pointer) ?? []), at])).document();
  while (!steps.next().done);
  return places;
}

const SPACE = /[\t\n\r ]*/y;
const PLAIN = /[ !#-[\]-\uffff]*/y; // neither a quote nor a backslash nor a control character
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BEGUN_NUMBER = /-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?)?)?|[eE][+-]?)?)?/y;
const WORDS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

/** Each method reads one thing, and answers false where it is wrong: then `at` stands there. */
class Reader {
  at = 0;
  readonly #text: string;
  /** The way to the value: places in arrays, and where a name stands in the text. */
  readonly #path: (number | [from: number, to: number])[] = [];

  readonly #onPlace: ((pointer: string, at: number) => void) | undefined;

  constructor(text: string, onPlace?: (pointer: string, at: number) => void) {
    this.#text = text;
    this.#onPlace = onPlace;
  }

  *document(): Generator<void, boolean> {
    if (!(yield* this.#value())) return false;
    this.#skip(SPACE);
    return this.at === this.#text.length;
  }

  pointer(): string {
    const names = this.#path.map((step) => (typeof step === "number" ? String(step) : (JSON.parse(this.#text.slice(...step)) as string)));
    return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  }

  *#value(): Generator<void, boolean> {
    this.#skip(SPACE);
    const first = this.#text[this.at] ?? "";
    if (first === "{") return yield* this.#object();
    if (first === "[") return yield* this.#array();
    if (first === '"') return this.#string();
    const word = WORDS[first];
    return word === undefined ? this.#number() : this.#word(word);
  }

  *#object(): Generator<void, boolean> {
    this.at += 1;
    if (this.#take("}")) return true;
    do {
      this.#skip(SPACE);
      const from = this.at;
      if (this.#text[from] !== '"' || !this.#string()) return false;
      this.#path.push([from, this.at]);
      this.#onPlace?.(this.pointer(), from);
      if (!this.#take(":") || !(yield* this.#value())) return false;
      this.#path.pop();
    } while (this.#take(","));
    return this.#take("}");
  }

  *#array(): Generator<void, boolean> {
    this.at += 1;
    if (this.#take("]")) return true;
    let place = 0;
    do {
      this.#path.push(place++);
      this.#skip(SPACE);
      this.#onPlace?.(this.pointer(), this.at);
      if (!(yield* this.#value())) return false;
      this.#path.pop();
      yield;
    } while (this.#take(","));
    return this.#take("]");
  }

  #string(): boolean {
    this.at += 1;
    for (;;) {
      this.#skip(PLAIN);
      const code = this.#text[this.at];
      if (code !== '"' && code !== "\\") return false;
      this.at += 1;
      if (code === '"') return true;
      if (!this.#skip(ESCAPE)) return this.#escape();
    }
  }

  /** Stands behind the backslash of an escape that is wrong, or ends too early. */
  #escape(): false {
    if (this.#text[this.at] === "u") {
      this.at += 1;
      while (/[0-9a-fA-F]/.test(this.#text[this.at] ?? "")) this.at += 1;
    }
    return false;
  }

  #word(word: string): boolean {
    let read = 0;
    while (read < word.length && this.#text[this.at] === word[read]) {
      this.at += 1;
      read += 1;
    }
    return read === word.length;
  }

  #number(): boolean {
    const from = this.at;
    this.#skip(NUMBER);
    const end = this.at;
    this.at = from;
    this.#skip(BEGUN_NUMBER);
    if (this.at > end) return false; // such as "1." or "-"
    this.at = end;
    return end > from;
  }

  /** Says whether this sign comes next, after any space. */
  #take(sign: string): boolean {
    this.#skip(SPACE);
    if (this.#text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.#text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}
