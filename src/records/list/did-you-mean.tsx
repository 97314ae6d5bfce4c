import { t } from "../../../core/i18n/translate.ts";
import { Announce } from "../../ui/announce.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import type { ChangeList } from "../query/list-url.ts";
import * as styles from "./did-you-mean.module.css";

interface DidYouMeanProps {
  searches: readonly string[];
  /** The search itself found nothing. */
  isEmpty: boolean;
  go: ChangeList;
}

/** Searches that find something, instead of the one that was typed or besides it. */
export function DidYouMean({ searches, isEmpty, go }: DidYouMeanProps) {
  const label = isEmpty ? t("Did you mean:") : t("Also spelled:");
  useFocusFallback("input[type=search]");
  return (
    <p className={styles.line}>
      <Announce text={`${label} ${searches.join(", ")}`} />
      <span>{label}</span>
      {searches.map((q) => (
        <button type="button" key={q} className={buttonStyles.link} onClick={() => go({ q })}>
          <bdi>{q}</bdi>
        </button>
      ))}
    </p>
  );
}
