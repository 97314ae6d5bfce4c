import { type ParseArgsConfig, parseArgs } from "node:util";
import { optionMistake } from "../../core/text/option-mistakes.ts";
import { StartError } from "../open-store.ts";

/** Takes the arguments after its name and resolves with what to print. */
export type Command = (args: readonly string[]) => Promise<string>;

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Returns what the user types to call a command: by npm in a clone, by the command's own name where the package is installed. */
export function commandLine(name: string, script = name): string {
  return process.env.npm_lifecycle_event === script ? `npm run ${script} --` : `intake ${name}`;
}

/** The help of a command, which was asked for. */
export class HelpAsked extends Error {}

/** Words and options of a command. Throws HelpAsked for --help, and StartError with the usage for an option that is wrong and for more than `most` words. */
export function readWords<T extends Options>(args: readonly string[], usage: string, most: number, options: T) {
  if (args.includes("--help") || args.includes("-h")) throw new HelpAsked(usage);
  const { positionals, values } = parse(args, usage, options);
  const extra = positionals[most];
  if (extra !== undefined) throw new StartError(`"${extra}" is one word too many. Put a name with blanks in quotation marks.\n${usage}`);
  return { words: positionals, values };
}

function parse<T extends Options>(args: readonly string[], usage: string, options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${optionMistake(error as Error, options)}\n${usage}`);
  }
}
