// Short messages at the bottom of the page that survive navigation, each with at most one action.

import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { KEY_MAP } from "./keyboard/key-map.ts";
import { keyName } from "./keyboard/key-name.ts";
import { type Shortcuts, useShortcuts } from "./keyboard/shortcuts.ts";
import * as styles from "./toasts.module.css";

export interface Toast {
  message: ReactNode;
  action?: ToastAction;
}

export interface ToastAction {
  label: string;
  run: () => void;
  /** The key for Undo runs it, too. */
  isUndo?: true;
  /** Says what it undoes, as a sentence. It stays in reach when the toast is gone. */
  undoes?: string;
}

export interface Toasts {
  current(): Toast | undefined;
  subscribe(listener: () => void): () => void;
  /** Replaces the toast that is shown. */
  show(toast: Toast): void;
  dismiss(): void;
  /** Puts an undo in reach of its key and of the palette without a message. */
  offer(undo: ToastAction): void;
  /** Lists what can be undone, the latest first. */
  undos(): readonly ToastAction[];
  /** Returns what the key for Undo runs: what the toast offers, else the latest of all. */
  latestUndo(): ToastAction | undefined;
  /** Runs an action once, and hides the toast. */
  run(action: ToastAction | undefined): void;
  /** Hides the toast and forgets what can be undone. */
  clear(): void;
}

const MOST_UNDOS = 50; // a page of rows that were corrected one after the other
const SHOWN_MS = 10_000; // long enough to reach its action (WCAG 2.2.1)

export function createToasts(): Toasts {
  let toast: Toast | undefined;
  let undos: readonly ToastAction[] = [];
  const listeners = new Set<() => void>();
  const setToast = (next: Toast | undefined) => {
    toast = next;
    for (const listener of listeners) listener();
  };
  const keep = (undo: ToastAction) => {
    undos = [undo, ...undos.filter((one) => one !== undo)].slice(0, MOST_UNDOS);
  };
  return {
    current: () => toast,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show(next) {
      if (next.action?.undoes) keep(next.action);
      setToast(next);
    },
    dismiss: () => setToast(undefined),
    offer(undo) {
      keep(undo);
      setToast(toast);
    },
    undos: () => undos,
    latestUndo: () => (toast?.action?.isUndo ? toast.action : undos[0]),
    run(action) {
      undos = undos.filter((one) => one !== action);
      setToast(undefined);
      action?.run();
    },
    clear() {
      undos = [];
      setToast(undefined);
    },
  };
}

/** Runs the action of the toast that is shown, and hides it. */
function runAction(toasts: Toasts): void {
  toasts.run(toasts.current()?.action);
  document.querySelector("h1")?.focus(); // the button that had it is gone
}

/** The key for Undo takes the latest back, also when its toast is gone. In a text that is being typed it stays the browser's. */
function useUndoKey(toasts: Toasts, keys: Shortcuts): void {
  const latest = useSyncExternalStore(toasts.subscribe, toasts.latestUndo);
  const undo = (event?: KeyboardEvent) => {
    if (event?.target instanceof Element && event.target.closest("input:not([type=checkbox]), textarea, select")) return false;
    return toasts.run(latest);
  };
  useShortcuts(keys, { undo: latest && undo });
}

/** Selects what a toast must not cover: the pager of a list, and bars that stay at the end of the window. */
const FEET = "main footer, [data-savebar], [data-selection-bar], [data-live-line]";

/** Lifts the toast above what stands at the end of the window, also when that moves. */
function useAboveFoot(region: { readonly current: HTMLElement | null }, toast: Toast | undefined): void {
  useLayoutEffect(() => {
    if (!toast) return;
    const lift = () => {
      const feet = [...document.querySelectorAll(FEET)].map((one) => one.getBoundingClientRect()).sort((a, b) => b.bottom - a.bottom);
      const height = (region.current?.offsetHeight ?? 0) + 20; // px, with the space below
      const end = feet.reduce((edge, { top, bottom }) => (top < edge && bottom > edge - height ? top : edge), innerHeight);
      region.current?.style.setProperty("--foot", `${innerHeight - end}px`);
    };
    lift();
    const changes = new MutationObserver(lift); // another page, or rows
    changes.observe(document.body, { childList: true, subtree: true });
    for (const type of ["scroll", "resize"]) addEventListener(type, lift, true);
    return () => {
      changes.disconnect();
      for (const type of ["scroll", "resize"]) removeEventListener(type, lift, true);
    };
  }, [region, toast]);
}

export function ToastRegion({ toasts, keys }: { toasts: Toasts; keys: Shortcuts }) {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  useUndoKey(toasts, keys);
  const region = useRef<HTMLDivElement>(null);
  useAboveFoot(region, toast);
  useEffect(() => {
    if (!toast) return;
    // It stays while the pointer or the focus is on its button.
    const timer = setInterval(() => region.current?.querySelector(":is(:hover, :focus)") || toasts.dismiss(), SHOWN_MS);
    return () => clearInterval(timer);
  }, [toast, toasts]);
  return (
    <div className={styles.region} role="status" ref={region}>
      {toast && (
        <div className={styles.toast}>
          <span>{toast.message}</span>
          {toast.action && (
            <button
              type="button"
              ref={focusHeadingAfter}
              onClick={() => runAction(toasts)}
              aria-keyshortcuts={toast.action.isUndo && "Control+Z Meta+Z"}
            >
              {toast.action.label}
              {toast.action.isUndo && (
                <span aria-hidden="true">
                  <kbd>{keyName(KEY_MAP.undo.keys[0] ?? "")}</kbd>
                </span>
              )}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Moves the focus when the button goes while it has it. React calls this before it removes the button. */
function focusHeadingAfter(button: HTMLElement | null) {
  return () => {
    if (button === document.activeElement) document.querySelector("h1")?.focus();
  };
}
