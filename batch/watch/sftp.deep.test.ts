// Runs both examples of docs/batch.md with the real sftp and its server, which need no network between them.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const isDeep = process.env.DEEP === "1";
const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored, write } = testService;

const [SEND = "", FETCH = ""] = [...readFileSync("docs/batch.md", "utf8").matchAll(/```sftp\n(.*?)```/gs)].map(([, lines]) => lines);

/** The server that SFTP_SERVER_PATH names, or one of Debian's, Fedora's and Alpine's places, else Debian's package, installed as root. */
function findServer(): string {
  const places = ["/usr/lib/openssh", "/usr/libexec/openssh", "/usr/lib/ssh"].map((place) => join(place, "sftp-server"));
  const find = () => [process.env.SFTP_SERVER_PATH ?? "", ...places].find((path) => existsSync(path));
  if (!find()) execFileSync("apt-get", ["install", "--yes", "openssh-sftp-server"], { stdio: ["ignore", "ignore", "pipe"] });
  const found = find();
  if (!found || !(process.env.PATH ?? "").split(delimiter).some((place) => existsSync(join(place, "sftp"))))
    throw new Error("The example needs sftp and its server: install openssh-client and openssh-sftp-server, or set SFTP_SERVER_PATH.");
  return found;
}

/** Runs a batch of sftp in `here` against a server whose folder is `there`. */
function sftp(lines: string, here: string, there: string): { status: number | null; stderr: string } {
  const script = write("batch.sftp", `cd ${there}\n${lines}`);
  const { status, stderr } = spawnSync("sftp", ["-D", findServer(), "-b", script], { cwd: here, encoding: "utf8" });
  return { status, stderr };
}

test.runIf(isDeep)("a file is sent with its checksum, and loaded", async () => {
  const [here, there] = [join(folder, "sender"), join(folder, "receiver")];
  for (const path of [here, there]) mkdirSync(path);
  const { path: inbox, filesWithin } = makeInbox(there, "incoming");
  writeFileSync(join(here, "customers.csv"), customersCsv(3, "sent"));
  writeFileSync(
    join(here, "customers.csv.sha256"),
    `${createHash("sha256").update(customersCsv(3, "sent")).digest("hex")}  customers.csv\n`,
  );
  expect(sftp(SEND, here, there)).toMatchObject({ status: 0 });
  expect((await batch(service.url, ["watch", inbox, "--once", "--done"])).code).toBe(0);
  expect(filesWithin("archive")).toEqual(["customers.csv", "customers.csv.sha256"]);
  expect(await stored("sent")).toHaveLength(3);
});

test.runIf(isDeep)("a file is fetched, loaded, and fetched no second time", async () => {
  const bank = join(folder, "bank");
  mkdirSync(join(bank, "outgoing"), { recursive: true });
  const { path: inbox, filesWithin } = makeInbox(folder, "in");
  writeFileSync(join(bank, "outgoing", "customers.csv"), customersCsv(3, "fetched"));
  const lines = FETCH.replace("/data/in", inbox);
  expect(sftp(lines, folder, bank)).toMatchObject({ status: 0 });
  expect((await batch(service.url, ["watch", inbox, "--once", "--settle", "0"])).code).toBe(0);
  expect([filesWithin("archive"), await stored("fetched")]).toMatchObject([["customers.csv"], [{}, {}, {}]]);
  expect(sftp(lines, folder, bank).status).not.toBe(0);
  expect(existsSync(join(bank, "outgoing", "customers.csv.taken"))).toBe(true);
});
