// Chooses whose value counts where several records have one, in a merge of a few and in one by a rule.

import { t } from "../../../core/i18n/translate.ts";
import { SOURCES, type Source } from "./merge-values.ts";

interface SourceSelectProps {
  source: Source;
  isFixed?: boolean;
  className?: string | undefined;
  onChoose: (source: Source) => void;
}

export function SourceSelect({ source, isFixed = false, className, onChoose }: SourceSelectProps) {
  const words: Record<Source, string> = {
    survivor: t("the one that stays keeps its own"),
    latest: t("that of the one changed last counts"),
    longest: t("the longest one counts"),
  };
  return (
    <label className={className}>
      {t("Where several have a value")}
      <select value={source} disabled={isFixed} onChange={({ target }) => onChoose(target.value as Source)}>
        {SOURCES.map((one) => (
          <option key={one} value={one}>
            {words[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
