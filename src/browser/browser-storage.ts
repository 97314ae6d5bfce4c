// The browser’s storage, or one in memory where the browser forbids it.

type Area = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** `open` reads the property, which throws when cookies are blocked (HTML standard, "SecurityError"). */
export function openStorage(open: () => Storage): Area {
  try {
    return open();
  } catch {
    const entries = new Map<string, string>();
    return {
      getItem: (name) => entries.get(name) ?? null,
      setItem: (name, value) => void entries.set(name, value),
      removeItem: (name) => void entries.delete(name),
    };
  }
}
