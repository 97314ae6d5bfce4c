// Tests what an operator is told of each file: by a command and by mail.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseMail, startMailServer } from "../../server/testing/servers/mail-server.ts";
import { openRuns } from "../runs/run-registry.ts";
import { runShell } from "../runs/shell-command.ts";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
const mailServer = await startMailServer();
afterAll(() => {
  testService.close();
  return mailServer.close();
});
const { folder, service, write } = testService;

const NODE = `"${process.execPath}"`;
const SMTP = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: "Intake <intake@example.org>" };

function watchOnce(inbox: string, more: string[], env: Record<string, string> = {}) {
  return batch(service.url, ["watch", inbox, "--once", "--settle", "0", ...more], env);
}

/** A command that appends what it was told to a file, one JSON object a line. */
function recorder(name: string): { command: string; notices(): Record<string, string>[] } {
  const path = join(folder, `${name}.jsonl`);
  const script = write(
    `${name}.mjs`,
    `import { appendFileSync } from "node:fs";
const notice = Object.fromEntries(Object.entries(process.env).filter(([key]) => /^INTAKE_(?!URL|KEY)/.test(key)));
appendFileSync(${JSON.stringify(path)}, JSON.stringify(notice) + "\\n");`,
  );
  const lines = () => readFileSync(path, "utf8").trim().split("\n");
  return { command: `${NODE} "${script}"`, notices: () => lines().map((line) => JSON.parse(line) as Record<string, string>) };
}

test("a command is run after each file, with the outcome in its environment; no name of a file is a word of the shell", async () => {
  const { path: inbox, put } = makeInbox(folder, "told");
  const { command, notices } = recorder("told");
  put("a $(touch injected) `id`;'\".csv", customersCsv(2, "told-a"));
  put("b.csv", "Last name,Account ID\n,x\n");
  expect((await watchOnce(inbox, ["--on-end", command])).code).toBe(1);
  const [first, second, ...more] = notices();
  const name = "a $(touch injected) `id`;'\".csv";
  expect(more).toEqual([]);
  expect(first).toEqual({
    INTAKE_STEP: "put away",
    INTAKE_FILE: name,
    INTAKE_EXIT_CODE: "0",
    INTAKE_SENTENCE: expect.stringContaining("2 records"),
    INTAKE_PATH: join(inbox, "archive", name),
    INTAKE_REPORT: join(inbox, "archive", `${name}.report.txt`),
  });
  expect(second).toMatchObject({ INTAKE_FILE: "b.csv", INTAKE_EXIT_CODE: "1", INTAKE_PATH: join(inbox, "rejected", "b.csv") });
  expect(readFileSync(second?.INTAKE_REPORT ?? "", "utf8")).toContain("Nothing of b.csv was stored");
});

test("a single run and its resume tell of their end in the same words, also when nothing was stored", async () => {
  const { command, notices } = recorder("single");
  const run = (name: string, ...more: string[]) => batch(service.url, ["run", name, "--on-end", command, ...more]);
  const [good, bad] = [write("single.csv", customersCsv(2, "single")), write("single-bad.csv", "Last name,Account ID\n,x\n")];
  expect([(await run(good)).code, (await run(bad)).code, (await run(join(folder, "single-none.csv"))).code]).toEqual([0, 1, 1]);
  const [run1] = await openRuns(join(folder, ".intake")).list(({ fileName }) => fileName === "single.csv");
  expect((await batch(service.url, ["resume", run1?.id as string, "--state", join(folder, ".intake"), "--on-end", command])).code).toBe(0);
  const ended = { INTAKE_STEP: "ended", INTAKE_FILE: "single.csv", INTAKE_PATH: good };
  expect(notices()).toEqual([
    { ...ended, INTAKE_EXIT_CODE: "0", INTAKE_SENTENCE: expect.stringContaining("2 records"), INTAKE_REPORT: `${good}.report.txt` },
    {
      ...ended,
      INTAKE_FILE: "single-bad.csv",
      INTAKE_PATH: bad,
      INTAKE_EXIT_CODE: "1",
      INTAKE_SENTENCE: expect.stringContaining("Nothing of single-bad.csv was stored"),
      INTAKE_REPORT: `${bad}.report.txt`,
    },
    {
      ...ended,
      INTAKE_FILE: "single-none.csv",
      INTAKE_PATH: join(folder, "single-none.csv"),
      INTAKE_EXIT_CODE: "1",
      INTAKE_SENTENCE: expect.stringContaining("single-none.csv"),
      INTAKE_REPORT: "",
    },
    { ...ended, INTAKE_EXIT_CODE: "0", INTAKE_SENTENCE: expect.stringContaining("Nothing is left to do"), INTAKE_REPORT: "" },
  ]);
  const failed = await batch(service.url, ["run", write("single-untold.csv", customersCsv(1, "untold")), "--on-end", "false"]);
  expect([failed.code, failed.out]).toEqual([2, expect.stringContaining("single-untold.csv: the command of --on-end ended with code 1")]);
  expect(failed.stderr).toContain("But the command of --on-end or a mail failed");
  const unsent = await batch(service.url, ["run", write("single-mail.csv", customersCsv(1, "mail")), "--mail-to", "ops@example.org"]);
  expect([unsent.code, unsent.stderr]).toEqual([1, "--mail-to needs a mail server: set SMTP_URL and MAIL_FROM."]);
});

test("a command that fails is logged with its last words; the file is where it belongs, and --once ends with 2", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "failing");
  put("a.csv", customersCsv(2, "failing-a"));
  put("b.csv", customersCsv(2, "failing-b"));
  const { code, out, stderr } = await watchOnce(inbox, ["--on-end", 'echo "no room" >&2; test "$INTAKE_FILE" = a.csv']);
  expect(out.split("\n").filter((line) => line.includes("--on-end"))).toEqual([
    "b.csv: the command of --on-end ended with code 1: no room",
  ]);
  expect([code, stderr]).toEqual([
    2,
    "The command of --on-end or a mail failed: see the line above that names it. The files are where they belong.",
  ]);
  expect([filesWithin("archive"), filesWithin("processing")]).toEqual([["a.csv", "b.csv"], []]);
});

test("a command that does not end is ended, and one that leaves a process behind is not waited for", async () => {
  const { signal } = new AbortController();
  expect(await runShell("sleep 5; echo late", { within: 50, signal })).toBe("did not end within 0.05 seconds");
  expect(await runShell("sleep 5 & echo $!", { signal })).toBeUndefined();
  expect(await runShell("exit 7", { signal })).toBe("ended with code 7");
});

test("each file is mailed with its sentence and its report", async () => {
  const { path: inbox, put } = makeInbox(folder, "mailed");
  put("März\u202e.csv", "Last name,Account ID\n,x\nEk,mailed-0\n");
  const { mails } = mailServer;
  mails.length = 0;
  expect((await watchOnce(inbox, ["--mail-to", "ops@example.org", "--max-rejects", "1"], SMTP)).code).toBe(2);
  expect(mails).toMatchObject([{ from: "intake@example.org", to: ["ops@example.org"] }]);
  const raw = mails[0]?.raw ?? "";
  const { header } = parseMail(raw);
  const text = raw.replace(/=\r\n/g, "");
  expect(header.get("subject")).toMatch(/exit.code.2/i);
  expect(header.get("auto-submitted")).toBe("auto-generated");
  expect(text).toMatch(/\r\n\r\n1 of 2 records of M=C3=A4rz\\u202e\.csv is in customers \(1 created\); 1 refused\./); // the sentence
  expect(text).toMatch(/collection +customers, create\r\n/); // and the report
});

test("a mail server that does not answer changes nothing about the file; without one, or an address, nothing begins", async () => {
  const { path: inbox, put, filesWithin } = makeInbox(folder, "unmailed");
  put("a.csv", customersCsv(2, "unmailed"));
  for (const [to, env, sentence] of [
    ["ops@example.org", {}, "--mail-to needs a mail server: set SMTP_URL and MAIL_FROM."],
    ["ops@example.org", { SMTP_URL: "http://x" }, "SMTP_URL must begin with smtp://"],
    ["ops@example.org\nBcc: x@example.org", SMTP, "--mail-to is followed by one mail address"],
  ] as const) {
    const { code, stderr } = await watchOnce(inbox, ["--mail-to", to], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  }
  const gone = { ...SMTP, SMTP_URL: "smtp://127.0.0.1:1" };
  const { code, out } = await watchOnce(inbox, ["--mail-to", "ops@example.org"], gone);
  expect([code, filesWithin("archive")]).toEqual([2, ["a.csv"]]);
  expect(out).toContain("\na.csv: no mail was sent to ops@example.org: ");
});

test("a late file is told once, however often a watch begins", async () => {
  const { path: inbox } = makeInbox(folder, "late");
  const { command, notices } = recorder("late");
  const rules = write("late.json", JSON.stringify([{ files: "bank-*.csv", expected: { by: "06:30", zone: "UTC" } }]));
  const at = (time: string) => () => Date.parse(`2026-03-0${time}:00Z`);
  for (const now of ["4T07:00", "4T08:00", "5T05:00", "5T07:00"]) {
    const args = ["watch", inbox, "--once", "--rules", rules, "--on-end", command];
    expect((await batch(service.url, args, {}, at(now))).code).toBe(0);
  }
  expect(notices().map(({ INTAKE_STEP, INTAKE_FILE, INTAKE_EXIT_CODE }) => [INTAKE_STEP, INTAKE_FILE, INTAKE_EXIT_CODE])).toEqual([
    ["late", "bank-*.csv", ""],
    ["late", "bank-*.csv", ""],
  ]);
  expect(notices()[1]?.INTAKE_SENTENCE).toContain("It was expected by 2026-03-05 06:30 (UTC)");
});
