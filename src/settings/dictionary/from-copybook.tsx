// A new collection from a COBOL copybook: its fields, and what a person should look at.

import { useQuery } from "@tanstack/react-query";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { draftLayout } from "../../../layouts/copybook/draft-layout.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { withFreeNames } from "./package-edits.ts";
import type { EditedDraft } from "./use-draft.ts";

export interface CopybookProps {
  file: File;
  edited: EditedDraft;
}

export function FromCopybook({ file, edited }: CopybookProps) {
  const navigate = useNavigate();
  const target = useEditorTarget();
  const { data: text, error } = useQuery({
    queryKey: ["copybook", file.name, file.size, file.lastModified],
    queryFn: () => file.text(),
    gcTime: 0,
  });
  if (error) return <Notice tone="wrong">{error.message}</Notice>;
  if (text === undefined) return <p role="status">{t("Reading the file…")}</p>;
  const draft = draftLayout(text, { encoding: "utf-8", record: undefined, collection: undefined, name: undefined });
  if (typeof draft === "string")
    return (
      <Notice tone="wrong">
        <b>{t("This is no copybook that can be read.")}</b> <span lang="en">{draft}</span>
      </Notice>
    );
  const { resources: made } = draft.dataPackage as { resources: PackageResource[] };
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
      {draft.notes.length > 0 && (
        <>
          <h2>{t("What to look at")}</h2>
          <ul className={styles.changes} lang="en">
            {draft.notes.map(({ line, sentence }) => (
              <li key={`${line} ${sentence}`}>
                <span>
                  <span className={textStyles.dim}>{line}</span> {sentence}
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
        <span className={textStyles.note}>{t("A copybook has no records. You go on with its fields.")}</span>
      </div>
    </>
  );
}
