import { useState } from "react";
import type { Package } from "../../../core/dictionary/packages.ts";
import { t } from "../../../core/i18n/translate.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { IconAndColor } from "./collection-settings.tsx";
import { addCollection, type NewCollection } from "./package-edits.ts";

interface NewCollectionDialogProps {
  all: Package;
  change: (edit: (all: Package) => Package) => void;
  /** Is called with its name. */
  onAdd: (name: string) => void;
  onClose: () => void;
}

export function NewCollectionDialog({ all, change, onAdd, onClose }: NewCollectionDialogProps) {
  const [values, setValues] = useState<NewCollection>({ title: "", noun: "", icon: "", color: "", firstField: t("Name") });
  const [isTried, setTried] = useState(false);
  const field = (name: "title" | "noun" | "firstField", label: string, hint?: string) => ({
    id: `new-collection-${name}`,
    label,
    dir: "auto",
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
    ...(hint && { hint }),
    ...(isTried && values[name].trim() === "" && { error: t("Enter a word.") }),
  });
  function submit(): void {
    setTried(true);
    const empty = (["title", "noun", "firstField"] as const).find((name) => values[name].trim() === "");
    if (empty) {
      document.getElementById(`new-collection-${empty}`)?.focus();
      return;
    }
    const name = addCollection(all, values).resources.at(-1)?.name ?? "";
    change((before) => addCollection(before, values));
    onClose();
    onAdd(name);
  }
  return (
    <FormDialog
      title={t("New collection")}
      submitLabel={t("Add collection")}
      isBusy={false}
      error={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField {...field("title", t("Title"), t("What several of them are called, such as “Vehicles”."))} autoFocus />
      <TextField {...field("noun", t("One of them"), t("In a sentence, such as “customer” in “New customer”."))} />
      <TextField {...field("firstField", t("First field"), t("It names a record. Further fields follow in the table."))} />
      <IconAndColor icon={values.icon} color={values.color} onChange={(words) => setValues((before) => ({ ...before, ...words }))} />
    </FormDialog>
  );
}
