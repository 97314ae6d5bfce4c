// A new collection from the data dictionary of a REDCap project.

import { t } from "../../../core/i18n/translate.ts";
import { draftFromRedcap } from "../../../pipeline/proposal/redcap-dictionary.ts";
import { Notice } from "../../ui/primitives.tsx";
import { type DescriptionProps, DraftedCollections, useTextOf } from "./drafted-collections.tsx";

export function FromRedcap({ file, edited }: DescriptionProps) {
  const { text, unread } = useTextOf(file);
  if (text === undefined) return unread;
  const title = file.name
    .replace(/\.\w+$/, "")
    .replace(/_?DataDictionary.*$/i, "")
    .replace(/[_-]+/g, " ")
    .trim();
  const draft = draftFromRedcap(text, title || "REDCap");
  if (typeof draft === "string")
    return (
      <Notice tone="wrong">
        <span lang="en">{draft}</span>
      </Notice>
    );
  const notes = draft.notes.map(({ variable, sentence }) => ({ at: variable, sentence }));
  return (
    <DraftedCollections
      made={[draft.resource]}
      {...{ notes, edited }}
      next={t("A data dictionary has no records. You go on with its fields.")}
    />
  );
}
