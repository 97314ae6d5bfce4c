// The search of a page whose address has what is searched for.

import { type RefObject, useEffect, useRef, useState } from "react";
import { MAX_SEARCH } from "../../../core/contract/limits.ts";
import { TYPING_PAUSE_MS } from "../../ui/use-debounced.ts";
import { useRouter } from "../router/router-context.tsx";

interface SearchBoxProps {
  label: string;
  /** Names the path of the page that it searches. */
  path: string;
  query: string;
  input?: RefObject<HTMLInputElement | null>;
  className?: string | undefined;
  /** Says that rows of a list are being fetched. Enter then opens the first record that is found. */
  isBusy?: boolean;
  onSearch: (q: string) => void;
}

const firstRow = () => document.querySelector<HTMLElement>("tr[data-id] a");

/** The address follows the typed text after a short pause or with Enter. Other changes of the address (back, a link) show in the box. */
export function SearchBox({ label, path, query, input, className, isBusy = true, onSearch }: SearchBoxProps) {
  const router = useRouter();
  const [typed, setTyped] = useState(query);
  const sent = useRef(query);
  const seen = useRef(query);
  function search(): void {
    if (!router.latest().pathname.endsWith(path)) return; // the user is already leaving the page
    sent.current = typed.trim();
    onSearch(sent.current);
  }
  useEffect(() => {
    const isOther = query !== seen.current && query !== sent.current;
    seen.current = query;
    if (isOther) {
      sent.current = query;
      return setTyped(query); // and no timer: the text of before would be sent over the new address on a slow machine
    }
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => typed.trim() !== sent.current && search(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const opens = useRef(false); // Enter was pressed, and nothing else since
  function openFirst(): void {
    if (!opens.current || isBusy || typed.trim() !== query) return;
    opens.current = false;
    firstRow()?.click();
  }
  useEffect(openFirst);
  return (
    <input
      type="search"
      ref={input}
      className={className}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      enterKeyHint="search"
      maxLength={MAX_SEARCH}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && typed !== "") setTyped("");
        if (event.key === "Enter" && !event.nativeEvent.isComposing && typed.trim() !== query) {
          event.preventDefault(); // the key would also press the button of a dialog that asks
          search(); // once more for someone who stayed to save a row first
        }
        opens.current = event.key === "Enter" && !event.nativeEvent.isComposing && typed.trim() !== "";
        openFirst();
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        firstRow()?.focus();
      }}
    />
  );
}
