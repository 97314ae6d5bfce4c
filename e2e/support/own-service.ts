// A service that a test can kill and start again, and uploads to it.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { findFreePort } from "./ports.ts";
import { ADMIN_KEY, openApi } from "./service.ts";

export const ROWS = 6_000;
const START_LIMIT = 60_000; // ms

export type OwnService = Awaited<ReturnType<typeof startService>>;

/** A setting for a service whose clock can be set ahead (`setAhead`): its signal moves Date.now by 16 minutes, a minute more than an access token is valid. */
export const MOVABLE_CLOCK = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "const now=Date.now;let ahead=0;Date.now=()=>now()+ahead;process.on('SIGUSR2',()=>{ahead+=960000})",
  )}`,
};

/** `settingsFor`: settings besides the usual ones, for a service on this port. */
export async function startService(
  settingsFor: (port: number) => Promise<Record<string, string>> = async () => ({}),
  { dataPackage }: { dataPackage?: object } = {},
) {
  const port = await findFreePort();
  const store = mkdtempSync(join(tmpdir(), "intake-faults-"));
  const dictionary = `${store}.json`;
  if (dataPackage) writeFileSync(dictionary, JSON.stringify(dataPackage));
  const settings = { ...(dataPackage && { DICTIONARY: dictionary }), ...(await settingsFor(port)) };
  let child: ChildProcess | undefined;
  let output = "";
  const service = {
    port,
    async start() {
      const env = { ...process.env, PORT: String(port), ADMIN_KEY, DATA_DIR: store, ...settings };
      child = spawn(process.execPath, ["dist/node/intake.js", "start"], { env, stdio: ["ignore", "pipe", "ignore"] });
      child.stdout?.on("data", (data) => {
        output += data;
      });
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(isReady, { message: "The service starts.", timeout: START_LIMIT }).toBe(true);
    },
    /** Says what it has written to standard output so far. */
    output: () => output,
    /** Only with MOVABLE_CLOCK. */
    setAhead: () => void child?.kill("SIGUSR2"),
    async kill() {
      const ended = new Promise((resolve) => child?.once("close", resolve));
      child?.kill("SIGKILL");
      await ended;
    },
    async remove() {
      await service.kill();
      rmSync(store, { recursive: true, force: true });
      rmSync(dictionary, { force: true });
    },
  };
  await service.start();
  return service;
}

/** Invites a new person to a service of the test's own, and returns their id and the address of the one-time link. */
export async function invite(port: number, email: string, role: string, name = "Ida Berg"): Promise<{ id: string; link: string }> {
  const { json, status } = await (await openApi(port)).call("POST", "/users", { email, name, roles: [role] });
  expect(status).toBe(201);
  const { user, link } = json as { user: { id: string }; link: { url: string } };
  return { id: user.id, link: new URL(link.url, `http://127.0.0.1:${port}`).href };
}

/** `from`: the first id. Without it the rows have none, so that a row that is stored twice makes two records. */
export function customersFile(name: string, from?: number): { name: string; mimeType: string; buffer: Buffer } {
  const rows = Array.from({ length: ROWS }, (_, i) => `${from === undefined ? "" : from + i},${name} ${i},C`).join("\n");
  return { name: `${name}.csv`, mimeType: "text/csv", buffer: Buffer.from(`objectId,lastName,accountID\n${rows}\n`) };
}

export async function startUpload(page: Page, file: ReturnType<typeof customersFile>): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
}

export async function expectReport(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible({ timeout: 60_000 });
}

export async function expectEachOnce(service: OwnService, name: string): Promise<void> {
  const names = (await (await openApi(service.port)).all("customers", name.toLowerCase())).map(({ lastName }) => lastName);
  expect([names.length, new Set(names).size]).toEqual([ROWS, ROWS]);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
