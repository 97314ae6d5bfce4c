const isByNpm = process.env.npm_lifecycle_event === "batch";

/** The user types this to call the command: by npm in a clone, by its own name where the package is installed. */
export const COMMAND_LINE = isByNpm ? "npm run batch --" : "intake-batch";

/** The same for the command that makes API keys. */
export const KEYS_COMMAND_LINE = isByNpm ? "npm run keys --" : "intake keys";
