import { Fragment, type ReactNode } from "react";
import { fill, type Values } from "../../core/i18n/translate.ts";

interface RichTextProps {
  /** As say() gave it, without values. What stands between {name} and {/name} goes into the part of that name. */
  text: string;
  parts: Readonly<Record<string, (text: string) => ReactNode>>;
  values?: Values;
}

export function RichText({ text, parts, values }: RichTextProps) {
  // Every third piece is the name of a part, and the next one its text (ECMAScript, RegExp.prototype[@@split] with groups).
  return text.split(/\{(\w+)\}(.*?)\{\/\1\}/).map((piece, i, pieces) => {
    if (i % 3 === 1) return null;
    const draw = i % 3 === 2 ? parts[pieces[i - 1] as string] : undefined;
    const filled = fill(piece, values);
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's pieces keep their places
    return <Fragment key={i}>{draw ? draw(filled) : filled}</Fragment>;
  });
}
