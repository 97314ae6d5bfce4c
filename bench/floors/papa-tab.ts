// The floor for reading: PapaParse alone in a worker of an empty page, which only counts the rows.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { Browser } from "@playwright/test";
import { openPage } from "../support/browser.ts";

/**
 * text: the whole text at once, all rows kept, as Papa.parse(text) does. chunks: the text in chunks of 1 MiB, rows forgotten.
 * file: PapaParse reads the File in its own chunks, and breaks characters in two at their edges.
 */
export type PapaMode = "text" | "chunks" | "file";
export const PAPA_MODES: readonly PapaMode[] = ["text", "chunks", "file"];

export interface PapaTab {
  parse(way: PapaMode): Promise<{ seconds: number; rows: number }>;
  close(): Promise<void>;
}

const PAGE = '<!doctype html><title>Peer</title><label>CSV file <input type="file"></label>';

const WORKER = `
importScripts("/papaparse.js");
onmessage = async ({ data: { file, way } }) => {
  const settings = { delimiter: ",", newline: "\\r\\n" };
  let rows = 0;
  const chunk = ({ data }) => { rows += data.length; };
  if (way === "file") return Papa.parse(file, { ...settings, chunk, complete: () => postMessage(rows) });
  const text = await file.text();
  if (way === "text") rows = Papa.parse(text, settings).data.length;
  else Papa.parse(text, { ...settings, chunk, chunkSize: 1024 * 1024 });
  postMessage(rows);
};`;

export async function openPapa(browser: Browser, path: string): Promise<PapaTab> {
  const server = await serve();
  const page = await openPage(browser);
  await page.goto(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
  await page.getByLabel("CSV file").setInputFiles(path);
  return {
    parse: (way) =>
      page.evaluate(async (chosen) => {
        const file = document.querySelector("input")?.files?.[0];
        const worker = new Worker("/worker.js");
        const started = performance.now();
        const rows = await new Promise<number>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage({ file, way: chosen });
        });
        const seconds = (performance.now() - started) / 1000;
        worker.terminate();
        return { seconds, rows };
      }, way),
    async close() {
      await page.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(): Promise<Server> {
  const papaparse = await readFile(createRequire(import.meta.url).resolve("papaparse/papaparse.min.js"));
  const server = createServer(({ url }, reply) => {
    reply.setHeader("Content-Type", url?.endsWith(".js") ? "text/javascript" : "text/html");
    reply.end(url === "/papaparse.js" ? papaparse : url === "/worker.js" ? WORKER : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
