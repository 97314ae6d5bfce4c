// The draft as JSON, for what the editor has no inputs for.

import { useState } from "react";
import { isPackage, type Package } from "../../../core/dictionary/packages.ts";
import { readCategories } from "../../../core/dictionary/read-categories.ts";
import { readCollections } from "../../../core/dictionary/read-collections.ts";
import { readConditions } from "../../../core/dictionary/read-conditions.ts";
import { addSections } from "../../../core/dictionary/read-sections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as styles from "./dictionary-editor.module.css";

export function JsonView({ all, change }: { all: Package; change: (edit: (all: Package) => Package) => void }) {
  const [typed, setTyped] = useState<string>();
  const text = typed ?? JSON.stringify(all, null, 2);
  const read = parsed(text);
  const mistakes = typeof read === "string" ? [read] : mistakesIn(read);
  return (
    <>
      <textarea
        className={styles.json}
        aria-label={t("Data package")}
        spellCheck={false}
        dir="ltr"
        value={text}
        onChange={({ target }) => setTyped(target.value)}
      />
      {mistakes.length > 0 && (
        <Notice tone="doubt">
          <ul>
            {mistakes.map((mistake) => (
              <li key={mistake}>{mistake}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={pageStyles.tools}>
        <button
          type="button"
          className={buttonStyles.primary}
          aria-disabled={typed === undefined || typeof read === "string"}
          onClick={() => {
            if (typed === undefined || typeof read === "string") return;
            change(() => read);
            setTyped(undefined);
          }}
        >
          {t("Take over into the draft")}
        </button>
      </div>
    </>
  );
}

/** Returns the package, or why there is none. */
function parsed(text: string): Package | string {
  try {
    const read: unknown = JSON.parse(text);
    return isPackage(read) ? read : t("This is no data package: it needs resources, each with a name and a schema.");
  } catch (error) {
    return (error as Error).message;
  }
}

/** Lists what the service would refuse, but for references, which the review checks. What is retired may lack what it names and is not read. */
function mistakesIn(all: Package): string[] {
  const shown = all.resources.filter((one) => !one.retired && one.schema.fields.every(({ retired }) => !retired));
  if (shown.length === 0) return [];
  const read = readCollections({ ...all, resources: shown }, "", { readCategories, readConditions, addSections });
  return "mistakes" in read ? read.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
}
