// Says what is wrong with a word on a command line, for both commands.

import { closest } from "./similarity.ts";

/** @example withMeant('There is no command "rnu"', "run") === 'There is no command "rnu". Did you mean run?' */
export function withMeant(sentence: string, found: string | undefined): string {
  return `${sentence}.${found === undefined ? "" : ` Did you mean ${found}?`}`;
}

/**
 * Returns the sentence for an error of Node's `parseArgs`, whose message has advice for programmers: little but the option's name is taken
 * from it. `options` are those that `parseArgs` got.
 */
export function optionMistake({ message }: Error, options: Readonly<Record<string, { type: "string" | "boolean" }>>): string {
  const [, option = ""] = /'(?:-\w, )?(--?[^' ]+)/.exec(message) ?? [];
  const name = option.replace(/^-+/, "");
  const known = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!known) {
    const found = closest(name, Object.keys(options));
    return withMeant(`There is no option ${option}`, found && `--${found}`);
  }
  if (known.type === "boolean") return `${option} takes no value.`;
  return message.includes("ambiguous")
    ? `${option} is followed by a value that does not begin with -.`
    : `${option} is followed by a value.`;
}
