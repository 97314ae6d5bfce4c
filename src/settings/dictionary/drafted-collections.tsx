// Shows what a file makes of the records it describes, before it is in the draft.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { withFreeNames } from "./package-edits.ts";
import type { EditedDraft } from "./use-draft.ts";

export interface DescriptionProps {
  file: File;
  edited: EditedDraft;
}

/** Returns the text of a file, or what is shown until it is read. */
export function useTextOf(file: File): { text: string | undefined; unread: ReactNode } {
  const { data: text, error } = useQuery({
    queryKey: ["description", file.name, file.size, file.lastModified],
    queryFn: () => file.text(),
    gcTime: 0,
  });
  return { text, unread: error ? <Notice tone="wrong">{error.message}</Notice> : <p role="status">{t("Reading the file…")}</p> };
}

interface DraftedCollectionsProps {
  made: readonly PackageResource[];
  /** `at`: where in the file it is. */
  notes: readonly { at: string; sentence: string }[];
  edited: EditedDraft;
  /** Says how it goes on. */
  next: string;
}

export function DraftedCollections({ made, notes, edited, next }: DraftedCollectionsProps) {
  const navigate = useNavigate();
  const target = useEditorTarget();
  const add = () => {
    const taken = edited.draft?.package.resources ?? [];
    const [first] = withFreeNames(made, taken);
    edited.change((all) => ({ ...all, resources: [...all.resources, ...withFreeNames(made, all.resources)] }));
    void navigate(target(undefined, { of: first?.name }));
  };
  return (
    <>
      {made.map((resource) => (
        <section key={resource.name}>
          <h2>{String(resource.title)}</h2>
          <p>{resource.schema.fields.map(({ title }) => String(title)).join(", ")}</p>
        </section>
      ))}
      {notes.length > 0 && (
        <>
          <h2>{t("What to look at")}</h2>
          <ul className={styles.changes} lang="en">
            {notes.map(({ at, sentence }) => (
              <li key={`${at} ${sentence}`}>
                <span>
                  <span className={textStyles.dim}>{at}</span> {sentence}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={pageStyles.tools}>
        <button type="button" className={buttonStyles.primary} onClick={add}>
          {t("Add to the draft")}
        </button>
        <span className={textStyles.note}>{next}</span>
      </div>
    </>
  );
}
