// Short messages at the bottom of the page that survive navigation, each with at most one action.

import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import * as styles from "./toasts.module.css";

export interface Toast {
  message: ReactNode;
  action?: { label: string; run: () => void };
}

export interface Toasts {
  current(): Toast | undefined;
  subscribe(listener: () => void): () => void;
  /** Replaces the toast that is shown. */
  show(toast: Toast): void;
  dismiss(): void;
}

const SHOWN_MS = 10_000; // long enough to reach its action (WCAG 2.2.1)

export function createToasts(): Toasts {
  let toast: Toast | undefined;
  const listeners = new Set<() => void>();
  const setToast = (next: Toast | undefined) => {
    toast = next;
    for (const listener of listeners) listener();
  };
  return {
    current: () => toast,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: setToast,
    dismiss: () => setToast(undefined),
  };
}

export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(toasts.dismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, toasts]);
  return (
    <div className={styles.region} role="status">
      {toast && (
        <div className={styles.toast}>
          <span>{toast.message}</span>
          {toast.action && (
            <button
              type="button"
              onClick={() => {
                toasts.dismiss();
                toast.action?.run();
                document.querySelector("h1")?.focus(); // the button that had it is gone
              }}
            >
              {toast.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
