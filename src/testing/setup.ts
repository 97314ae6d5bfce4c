import nodeConsole from "node:console";
import "fake-indexeddb/auto";
import { focusManager } from "@tanstack/react-query";
import { cleanup, configure } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach } from "vitest";

// How long a sentence may take to appear on a slow machine; a test that passes never waits for it.
configure({ asyncUtilTimeout: 20_000 });

// happy-dom writes every request that is refused to Node's console, as a browser does; React and the tests write to another one.
nodeConsole.error = () => {};

// What other people change comes into tabs that are seen. Most tests are about one person; those of two say that they are seen.
Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true, writable: true });
focusManager.setFocused(true);

// happy-dom does not say; without it the refresh token is no cookie, which it does not keep.
Object.assign(globalThis, { isSecureContext: false });

// happy-dom lays nothing out, so nothing is at a point.
Object.assign(document, { elementsFromPoint: () => [] });

beforeEach(() => {
  Object.assign(globalThis, { indexedDB: new IDBFactory() }); // an empty one: test files share their worker
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
