// A search of what stands below it: people, roles, collections.

import { MAX_SEARCH } from "../../core/contract/limits.ts";
import { Announce } from "../ui/announce.tsx";
import * as pageStyles from "../ui/page.module.css";
import * as styles from "./people-page.module.css";

/** Entries: only more than these are searched. */
export const MANY = 10;

interface FindInputProps {
  label: string;
  sought: string;
  onSought: (text: string) => void;
  /** Says to who cannot see it how many are found; empty while nothing is sought. */
  found: string;
}

export function FindInput({ label, sought, onSought, found }: FindInputProps) {
  return (
    <div className={pageStyles.tools}>
      <input
        type="search"
        className={styles.search}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        maxLength={MAX_SEARCH}
        value={sought}
        onChange={({ target }) => onSought(target.value)}
        // Enter would submit the form that it may stand in.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <Announce text={found} />
    </div>
  );
}
