// A tab of WebKit (Debian's MiniBrowser), driven by the WebDriver protocol: https://www.w3.org/TR/webdriver2/.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "@playwright/test";
import type { FoundWebKit } from "./browser.ts";
import { findFreePort } from "./ports.ts";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"; // the key of an element in JSON, by the standard
const PATIENCE = 20_000; // ms

/** Says how a role is found before its name is asked of the browser. */
const SELECTORS = {
  button: "button",
  link: "a[href]",
  textbox: "input:not([type=checkbox],[type=radio],[type=file],[type=search]), textarea",
  searchbox: "input[type=search]",
  combobox: "select",
  gridcell: "[role=grid] td",
  heading: "h1, h2",
  menuitem: "[role=menuitem]",
} as const;
export type Role = keyof typeof SELECTORS;

export interface WebKitTab {
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  click(role: Role, name: string | RegExp): Promise<void>;
  /** Replaces what stands in an input. */
  fill(role: Role, name: string, text: string): Promise<void>;
  choose(name: string, option: string): Promise<void>;
  /** Presses the keys on whatever has the focus. */
  press(...keys: string[]): Promise<void>;
  /** Gives the input with this label files by their paths. */
  setFiles(label: string | RegExp, ...paths: string[]): Promise<void>;
  run<T>(script: string, ...args: unknown[]): Promise<T>;
  /** Says what a person reads on the page. */
  expectText(text: string | RegExp): Promise<void>;
  close(): Promise<void>;
}

export async function openWebKit({ driver, browser, screen }: FoundWebKit): Promise<WebKitTab> {
  const server = spawn(screen, ["-displayfd", "1", "-screen", "0", "1280x900x24"], { stdio: ["ignore", "pipe", "ignore"] });
  const [display] = await once(server.stdout, "data");
  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: `:${String(display).trim()}`, TZ: "Europe/Amsterdam", LC_ALL: "C.UTF-8" };
  const driving = spawn(driver, [`--port=${port}`], { stdio: "ignore", env });
  const call = createCall(`http://127.0.0.1:${port}`);
  await expect
    .poll(
      () =>
        call("GET", "/status").then(
          ({ ready }) => ready,
          () => false,
        ),
      { timeout: PATIENCE },
    )
    .toBe(true);
  const { sessionId } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } } },
  });
  const ask = (method: string, path: string, body?: object) => call(method, `/session/${sessionId}${path}`, body);
  await ask("POST", "/window/rect", { width: 1280, height: 860 });
  return { ...tabOf(ask), close: () => endAll(ask, [driving, server]) };
}

// biome-ignore lint/suspicious/noExplicitAny: each command answers something else
type Ask = (method: string, path: string, body?: object) => Promise<any>;

function createCall(origin: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(origin + path, { method, body: body === undefined ? null : JSON.stringify(body) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`);
    return value;
  };
}

async function endAll(ask: Ask, processes: readonly ChildProcess[]): Promise<void> {
  await ask("DELETE", "").catch(() => undefined);
  for (const one of processes) one.kill();
}

function tabOf(ask: Ask): Omit<WebKitTab, "close"> {
  const run = (script: string, ...args: unknown[]) => ask("POST", "/execute/sync", { script, args });
  const idOf = (element: Record<string, string>) => element[ELEMENT] as string;

  /** The first that is in sight, can be used and is called so. Waits for it. */
  async function find(role: Role, name: string | RegExp): Promise<string> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const elements: Record<string, string>[] = await run(VISIBLE, SELECTORS[role]);
      for (const element of elements) {
        const label: string = await ask("GET", `/element/${idOf(element)}/computedlabel`).catch(() => ""); // it may be gone
        if (typeof name === "string" ? label.trim() === name : name.test(label)) return idOf(element);
      }
      if (Date.now() > until) throw new Error(`No ${role} ${name} is on the page:\n${await run("return document.body.innerText")}`);
      await wait(100);
    }
  }

  /** Again while the page moves or replaces it. */
  async function onElement(role: Role, name: string | RegExp, act: (id: string) => Promise<unknown>): Promise<void> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      try {
        await act(await find(role, name));
        return;
      } catch (error) {
        if (!/stale|intercepted|not interactable/.test((error as Error).message) || Date.now() > until) throw error;
        await wait(100);
      }
    }
  }

  return {
    run,
    open: (url) => ask("POST", "/url", { url }),
    reload: () => ask("POST", "/refresh", {}),
    click: (role, name) => onElement(role, name, (id) => ask("POST", `/element/${id}/click`, {})),
    fill: (role, name, text) =>
      onElement(role, name, async (id) => {
        await ask("POST", `/element/${id}/clear`, {});
        await ask("POST", `/element/${id}/value`, { text });
      }),
    choose: (name, option) =>
      onElement("combobox", name, (id) =>
        run(
          `const [select, text] = arguments;
           select.value = [...select.options].find((one) => one.text === text).value;
           select.dispatchEvent(new Event("change", { bubbles: true }));`,
          { [ELEMENT]: id },
          option,
        ),
      ),
    async press(...keys) {
      const actions = keys.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await ask("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] });
    },
    async setFiles(label, ...paths) {
      const pattern = typeof label === "string" ? label : label.source;
      await expect.poll(() => run(INPUT, pattern), { timeout: PATIENCE }).not.toBeNull();
      await ask("POST", `/element/${idOf(await run(INPUT, pattern))}/value`, { text: paths.join("\n") });
    },
    async expectText(text) {
      const shown = () => run("return document.body.innerText");
      const found = expect.poll(shown, { timeout: PATIENCE });
      if (typeof text === "string") await found.toContain(text);
      else await found.toMatch(text);
    },
  };
}

const VISIBLE = `return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility() && !one.disabled)`;
/** An input for files, which its label may hide. */
const INPUT = `return [...document.querySelectorAll("input[type=file]")].find((one) => new RegExp(arguments[0]).test(one.ariaLabel ?? one.labels[0]?.textContent ?? "")) ?? null`;

/** Keys that no letter stands for, as the standard numbers them. */
export const KEYS = { enter: "\uE007", escape: "\uE00C", tab: "\uE004" } as const;
