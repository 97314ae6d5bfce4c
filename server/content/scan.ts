// Asks a scanner about content before it is stored: a command that reads it and ends with 0, or with 1 to refuse it.

import { type ChildProcess, spawn } from "node:child_process";
import { pipeline, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "../engine/store.ts";
import type { Content } from "./content.ts";

/** The scanner refuses the content. */
export class ContentRefused extends Error {
  /** Says in one line why. */
  readonly word: string;

  constructor(word: string) {
    super("the scanner refuses the content");
    this.word = word;
  }
}

/** Nobody knows what the scanner would say. */
class ScannerFailed extends StoreUnavailable {}

const WITHIN = 120_000; // ms, of which some may pass before its turn comes
const AT_ONCE = 4; // scanners
const LONGEST_WORD = 200; // characters
const HEARD = 10_000; // characters of its output
const ANSWERED_BEFORE = ["EPIPE", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"]; // than all was read
/** The scanner is another program and gets no secret of the service. */
const ENVIRONMENT = ["PATH", "HOME", "LANG", "TMPDIR", "SystemRoot", "ComSpec"];

/**
 * Returns the same content, which the scanner that `command` starts is given before it is kept. `keep` throws ContentRefused, and
 * StoreUnavailable.
 */
export function withScanner(content: Content, command: string, within = WITHIN): Content {
  const running = new Set<Promise<unknown>>();

  async function scan(given: Readable): Promise<void> {
    const until = performance.now() + within;
    while (running.size >= AT_ONCE) {
      await Promise.race([...running, sleep(Math.max(0, until - performance.now()), undefined, { ref: false })]);
      if (performance.now() >= until) throw new ScannerFailed("The scanner of FILES_SCAN has too much to do");
    }
    const own = runScanner(command, given, until - performance.now());
    running.add(own);
    const { code, word } = await own.finally(() => running.delete(own));
    if (code === 1) throw new ContentRefused(word);
    if (code !== 0) throw new ScannerFailed(`The scanner of FILES_SCAN ${code === null ? "was ended" : `ended with ${code}`}: ${word}`);
  }

  return {
    ...content,
    async receive(stream, most, tooLarge) {
      const received = await content.receive(stream, most, tooLarge);
      const keep = async () => {
        const given = received.read();
        try {
          await scan(given);
        } catch (error) {
          await received.drop();
          throw error;
        } finally {
          given.destroy();
        }
        return received.keep();
      };
      return { ...received, keep };
    },
  };
}

/** Never rejects. `code` is null where it was ended, by us or by another. */
function runScanner(command: string, given: Readable, within: number): Promise<{ code: number | null; word: string }> {
  const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]));
  const isOwnGroup = process.platform !== "win32"; // so that what the shell has started ends with it
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, detached: isOwnGroup, env, stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => end(child, isOwnGroup), within);
    let [output, isCut] = ["", false];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < HEARD) output += text;
    });
    child.on("error", () => undefined); // it closes then
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(isCut ? { code: null, word: "the file could not be read to its end" } : { code, word: firstLine(output) });
    });
    pipeline(given, child.stdin, (error) => {
      isCut ||= error ? !ANSWERED_BEFORE.includes(String(error.code)) : false;
    });
  });
}

function end(child: ChildProcess, isOwnGroup: boolean): void {
  try {
    if (isOwnGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended just now.
  }
}

function firstLine(output: string): string {
  const lines = output.split(/[\r\n]+/).map((line) => line.replace(/[^\P{C}]/gu, "").trim());
  return (lines.find((line) => line !== "") ?? "it says nothing").slice(0, LONGEST_WORD);
}
