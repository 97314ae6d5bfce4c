#!/usr/bin/env node
// Starts Firefox for Playwright and stands between the two (WebDriver BiDi, W3C). Firefox ESR cannot emulate media features yet.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";

const NOT_KNOWN = "emulation.setMediaFeaturesOverride"; // Playwright asks it of every page, and gets a yes from here
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;
const MOST_BYTES = 2 ** 28; // of a message: files and pictures are in them

const firefox = spawn(process.env.FIREFOX_PATH ?? "firefox-esr", process.argv.slice(2), { stdio: ["ignore", "inherit", "pipe"] });
firefox.on("exit", (code) => process.exit(code ?? 0));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => firefox.kill(signal));

createInterface({ input: firefox.stderr }).on("line", (line) => {
  const address = LISTENING.exec(line)?.[1];
  if (!address) {
    console.error(line);
    return;
  }
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: MOST_BYTES }, () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`);
  });
  server.on("connection", (client, { url }) => relay(client, new WebSocket(address + url, { maxPayload: MOST_BYTES })));
});

function relay(client, browser) {
  const waiting = [];
  browser.on("open", () => {
    for (const message of waiting) browser.send(message);
  });
  client.on("message", (data) => {
    const message = String(data);
    const { id, method } = JSON.parse(message);
    if (method === NOT_KNOWN) client.send(JSON.stringify({ type: "success", id, result: {} }));
    else if (browser.readyState === WebSocket.OPEN) browser.send(message);
    else waiting.push(message);
  });
  browser.on("message", (data) => client.send(String(data)));
  browser.on("close", () => client.close());
  client.on("close", () => browser.close());
  browser.on("error", (error) => console.error(`Firefox: ${error.message}`));
}
