// The files that a browser fetches to show the list for the first time, and the upload worker, in bytes after gzip.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { watchNetwork } from "../../e2e/support/network-idle.ts";
import { openPage } from "../support/browser.ts";
import type { Service } from "../support/service.ts";

const DIST = new URL("../../dist/app/", import.meta.url);

export interface LoadFigures {
  /** Bytes after gzip -9, in the order they were asked for. */
  files: { name: string; bytes: number }[];
  script: number;
  style: number;
  worker: number;
}

export async function measureLoad(browser: Browser, service: Service): Promise<LoadFigures> {
  const page = await openPage(browser);
  const waitForIdle = watchNetwork(page);
  const token = await service.signIn();
  await page.addInitScript((value) => sessionStorage.setItem("intake.token", value), token); // signed in already, as on a reload
  const names: string[] = [];
  page.on("response", (response) => {
    const { pathname, origin } = new URL(response.url());
    if (origin === service.origin && !pathname.startsWith("/v1/") && response.ok()) names.push(pathname);
  });
  await page.goto(`${service.origin}/customers`);
  await page.getByRole("link", { name: "New customer" }).waitFor();
  await waitForIdle();
  await page.close();
  const files = [...new Set(names)].map((name) => ({ name: name === "/customers" ? "index.html" : name.slice(1), bytes: 0 }));
  for (const file of files) file.bytes = gzipped(file.name);
  const sum = (extension: string) => files.filter(({ name }) => name.endsWith(extension)).reduce((total, { bytes }) => total + bytes, 0);
  const worker = readdirSync(new URL("assets/", DIST)).find((name) => /^upload-commands-.*\.js$/.test(name));
  return { files, script: sum(".js"), style: sum(".css"), worker: worker ? gzipped(`assets/${worker}`) : 0 };
}

function gzipped(name: string): number {
  return gzipSync(readFileSync(new URL(name, DIST)), { level: 9 }).length;
}
