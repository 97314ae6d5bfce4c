/** Takes the arguments after its name and resolves with what to print. */
export type Command = (args: readonly string[]) => Promise<string>;

/** What the user types to call a command: by npm in a clone, by the command's own name where the package is installed. */
export function commandLine(name: string, script = name): string {
  return process.env.npm_lifecycle_event === script ? `npm run ${script} --` : `intake ${name}`;
}
