import { Fragment, type ReactNode } from "react";
import { fill, type Values } from "../../core/i18n/translate.ts";

interface RichTextProps {
  /** A text from t() without values. What is between {name} and {/name} is rendered by the part of that name. */
  text: string;
  parts: Readonly<Record<string, (text: string) => ReactNode>>;
  values?: Values;
}

export function RichText({ text, parts, values }: RichTextProps) {
  // split() with groups gives text, part name, part text, text, …
  return text.split(/\{(\w+)\}(.*?)\{\/\1\}/).map((piece, i, pieces) => {
    if (i % 3 === 1) return null;
    const draw = i % 3 === 2 ? parts[pieces[i - 1] as string] : undefined;
    const filled = fill(piece, values);
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's pieces keep their places
    return <Fragment key={i}>{draw ? draw(filled) : filled}</Fragment>;
  });
}
