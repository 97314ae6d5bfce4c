// Tells the operator what became of a file: by a command of theirs and by mail. A failure is logged and touches no file.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { InvalidMailSettings, isMailAddress, oneLine, readMailSettings, transportOptions } from "../../core/contract/mail-settings.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type ExitCode, systemError } from "../console/exit-codes.ts";
import { printable } from "../console/printable.ts";
import type { CommandContext } from "../runs/check-pass.ts";
import { runShell } from "../runs/shell-command.ts";

const COMMAND_WITHIN = 600_000; // ms
const MAIL_WITHIN = 15_000; // ms
const LONGEST_REPORT = 100_000; // characters in a mail

export interface Notice {
  /** Names the step as the lines of --json do. */
  step: "put away" | "stays" | "grew" | "late" | "ended";
  /** The name of the file; of a late one the pattern of its rule. */
  file: string;
  sentence: string;
  exitCode?: ExitCode;
  /** Absolute: where the file is, and its report for people. */
  path?: string;
  report?: string | undefined;
}

/** Resolves with false when the operator could not be told, which is logged. Never throws for what a command or a mail server does. */
export type Notify = (notice: Notice) => Promise<boolean>;

/** Throws CommandError when no mail can be sent with these settings. */
export function createNotify(
  { onEnd, mailTo }: Pick<Options, "onEnd" | "mailTo">,
  env: Readonly<Record<string, string | undefined>>,
  { progress, signal }: Pick<CommandContext, "progress" | "signal">,
): Notify {
  const mail = mailTo === undefined ? undefined : createMail(mailTo, env);
  return async (notice) => {
    const failed: [step: string, sentence: string][] = [];
    const why = onEnd === undefined ? undefined : await runShell(onEnd, { env: variablesOf(notice), within: COMMAND_WITHIN, signal });
    if (why !== undefined) failed.push(["on-end", `the command of --on-end ${why}`]);
    const notSent = await mail?.(notice);
    if (notSent !== undefined) failed.push(["mail", `no mail was sent to ${mailTo}: ${notSent}`]);
    for (const [step, sentence] of failed) progress.line(`${notice.file}: ${sentence}`, { step, file: notice.file, sentence });
    return failed.length === 0;
  };
}

/** A shell never reads them as words of its own: they are not in the command line. */
function variablesOf({ step, file, sentence, exitCode, path = "", report = "" }: Notice): Record<string, string> {
  const texts = { INTAKE_STEP: step, INTAKE_FILE: file, INTAKE_SENTENCE: printable(sentence), INTAKE_PATH: path, INTAKE_REPORT: report };
  return { ...texts, INTAKE_EXIT_CODE: exitCode === undefined ? "" : String(exitCode) };
}

function createMail(to: string, env: Readonly<Record<string, string | undefined>>): (notice: Notice) => Promise<string | undefined> {
  const settings = mailSettings(env);
  if (!settings) throw new CommandError(EXIT.nothing, "--mail-to needs a mail server: set SMTP_URL and MAIL_FROM.");
  if (!isMailAddress(to)) throw new CommandError(EXIT.nothing, `--mail-to is followed by one mail address, not "${to}".`);
  return async ({ file, step, exitCode, sentence, path, report }) => {
    const { createTransport } = await import("nodemailer");
    const parts = [printable(sentence), path && `${hostname()}: ${printable(path)}`, report && readReport(report)];
    try {
      await createTransport(transportOptions(settings)).sendMail({
        from: settings.from,
        to,
        subject: oneLine(`${exitCode === undefined ? step : `exit code ${exitCode}`}: ${file}`),
        text: parts.filter(Boolean).join("\n\n"),
        xMailer: false,
        headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834: no out-of-office reply comes back
        signal: AbortSignal.timeout(MAIL_WITHIN),
      });
      return undefined;
    } catch (error) {
      return oneLine((error as Error).message);
    }
  };
}

function mailSettings(env: Readonly<Record<string, string | undefined>>) {
  try {
    return readMailSettings(env.SMTP_URL, env.MAIL_FROM);
  } catch (error) {
    throw error instanceof InvalidMailSettings ? new CommandError(EXIT.nothing, error.message) : error;
  }
}

/** Without the report a mail still says what happened. */
function readReport(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, LONGEST_REPORT);
  } catch (error) {
    return `The report ${path} cannot be read: ${systemError(error) ?? String(error)}.`;
  }
}
