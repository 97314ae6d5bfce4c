// A new collection from a COBOL copybook: its fields, and what a person should look at.

import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { draftLayout } from "../../../layouts/copybook/draft-layout.ts";
import { Notice } from "../../ui/primitives.tsx";
import { type DescriptionProps, DraftedCollections, useTextOf } from "./drafted-collections.tsx";

export function FromCopybook({ file, edited }: DescriptionProps) {
  const { text, unread } = useTextOf(file);
  if (text === undefined) return unread;
  const draft = draftLayout(text, { encoding: "utf-8", record: undefined, collection: undefined, name: undefined });
  if (typeof draft === "string")
    return (
      <Notice tone="wrong">
        <b>{t("This is no copybook that can be read.")}</b> <span lang="en">{draft}</span>
      </Notice>
    );
  const { resources } = draft.dataPackage as { resources: PackageResource[] };
  const notes = draft.notes.map(({ line, sentence }) => ({ at: String(line), sentence }));
  return <DraftedCollections made={resources} {...{ notes, edited }} next={t("A copybook has no records. You go on with its fields.")} />;
}
