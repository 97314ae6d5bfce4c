// Remembers how far each entry of the browser's history was scrolled: the window, and elements that scroll by themselves.

const STORAGE_KEY = "intake.scroll";
const WINDOW = "window";

/** The scrolled distance in pixels (left, top), by the element's selector. */
type Positions = Record<string, [number, number]>;

export interface ScrollMemory {
  /** Call before the page changes. `key`: of the history entry that is left. `isReset`: the next page starts at its top. */
  leave(key: string, isReset: boolean): void;
  /** Call after the page has changed. The same key a second time changes nothing. */
  arrive(key: string, hash: string): void;
}

export function createScrollMemory(): ScrollMemory {
  const entries = read();
  const scrolled = new Set<EventTarget>();
  let current: string | undefined;
  let isReset = true;

  const store = (key: string) => {
    const positions: Positions = {};
    for (const target of scrolled) {
      if (target === document) positions[WINDOW] = [window.scrollX, window.scrollY];
      else if (target instanceof Element && target.isConnected) positions[selectorOf(target)] = [target.scrollLeft, target.scrollTop];
    }
    entries[key] = { ...entries[key], ...positions };
  };
  history.scrollRestoration = "manual";
  document.addEventListener("scroll", ({ target }) => target && scrolled.add(target), true);
  window.addEventListener("pagehide", () => {
    history.scrollRestoration = "auto"; // the browser does it for a reload
    if (current !== undefined) store(current);
    write(entries);
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) history.scrollRestoration = "manual";
  });

  return {
    leave(key, reset) {
      store(key);
      scrolled.clear();
      isReset = reset;
    },
    arrive(key, hash) {
      if (key === current) return;
      current = key;
      if (!isReset) return;
      const { [WINDOW]: page, ...elements } = entries[key] ?? {};
      for (const [selector, [left, top]] of Object.entries(elements)) document.querySelector(selector)?.scrollTo(left, top);
      if (page) window.scrollTo(...page);
      else if (hash) document.getElementById(hash)?.scrollIntoView();
      else window.scrollTo(0, 0);
    },
  };
}

/** Returns the element's place in the document, which is the same when the page is drawn again. */
function selectorOf(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const place = at.parentElement ? [...at.parentElement.children].indexOf(at) + 1 : 1;
    parts.unshift(`${at.localName}:nth-child(${place})`);
  }
  return parts.join(" > ");
}

/** Is empty where the browser forbids sessionStorage. */
function read(): Record<string, Positions> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

function write(entries: Record<string, Positions>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(entries));
  } catch {
    // The storage is forbidden or full: after a reload the pages start at their top.
  }
}
