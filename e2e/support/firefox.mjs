#!/usr/bin/env node
// Starts Firefox for Playwright and stands between the two (WebDriver BiDi, W3C), where Firefox ESR and Playwright differ.

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
  const waiting = []; // for the connection to open, or for a press to be done
  let isReady = false;
  let press; // the one that waits for its release
  const answer = (id) => client.send(JSON.stringify({ type: "success", id, result: {} }));
  const sendWaiting = () => {
    isReady = true;
    while (isReady && waiting.length > 0) handle(waiting.shift());
  };

  // Firefox counts the clicks of a double click only where each is one command: Playwright sends two.
  function handle(message) {
    const command = JSON.parse(message);
    if (press && isMouse(command, "pointerUp")) {
      const [mouse] = command.params.actions;
      mouse.actions.unshift(...press.params.actions[0].actions);
      press = undefined;
      browser.send(JSON.stringify(command));
    } else if (press) {
      isReady = false; // what comes after a press alone finds it done
      waiting.unshift(message);
      browser.send(JSON.stringify(press));
    } else if (command.method === NOT_KNOWN) answer(command.id);
    else if (isMouse(command, "pointerDown")) {
      press = command;
      answer(command.id);
    } else browser.send(message);
  }

  browser.on("open", sendWaiting);
  client.on("message", (data) => {
    waiting.push(String(data));
    if (isReady) sendWaiting();
  });
  browser.on("message", (data) => {
    const message = String(data);
    if (press && !isReady && JSON.parse(message).id === press.id) {
      press = undefined; // Playwright has its answer
      sendWaiting();
    } else client.send(message);
  });
  browser.on("close", () => client.close());
  client.on("close", () => browser.close());
  browser.on("error", (error) => console.error(`Firefox: ${error.message}`));
}

function isMouse({ method, params }, type) {
  const [source] = method === "input.performActions" ? params.actions : [];
  return source?.type === "pointer" && source.actions.length === 1 && source.actions[0].type === type;
}
