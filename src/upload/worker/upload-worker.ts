// The entry of the upload's worker. It only loads what does the work.

import type { Command } from "./messages.ts";

// It stands apart, because WebKit evaluates a worker's entry a second time when a chunk imports from it: each command would be done twice.
const commands = import("./upload-commands.ts");
commands.catch(reportError); // the page hears of it as of any error of the worker

self.addEventListener("message", ({ data }: MessageEvent<Command>) => {
  void commands.then(({ onCommand }) => onCommand(data));
});
