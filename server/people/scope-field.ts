import { isScopeWord } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { FieldReader } from "../http/read-fields.ts";

/** Reads a scope of words that exist here, each once. */
export function scopeField(collections: readonly Collection[]): FieldReader<string> {
  const names = ["*", ...collections.map(({ name }) => name)];
  const isKnown = (word: string) => isScopeWord(word) && (!word.includes(":") || names.includes(word.split(":")[0] ?? ""));
  return (given) => {
    const words = typeof given === "string" ? given.split(" ").filter(Boolean) : [];
    if (words.length > 0 && words.every(isKnown)) return { value: [...new Set(words)].join(" ") };
    return {
      problem:
        "scope takes words separated by spaces: read, write, dictionary, provision, admin, or a collection, a colon and a right, as in *:create.",
    };
  };
}
