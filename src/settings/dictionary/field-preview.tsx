// Draws a field of a draft as the form will have it.

import { type KeyboardEvent, useState } from "react";
import { keyOf, type Package, type PackageField } from "../../../core/dictionary/packages.ts";
import { readCategories } from "../../../core/dictionary/read-categories.ts";
import { readCollections } from "../../../core/dictionary/read-collections.ts";
import { readConditions } from "../../../core/dictionary/read-conditions.ts";
import { currentCatalogue, t } from "../../../core/i18n/translate.ts";
import { FieldIdContext } from "../../values/field-id.ts";
import { FieldInput } from "../../values/field-input.tsx";
import { ListValue } from "../../values/references/lazy-reference-inputs.tsx";
import * as styles from "./dictionary-editor.module.css";

const NO_FORM = { name: "preview", onChange: async () => {}, onBlur: async () => {}, ref: () => {} };

/** Draws the field alone, with the app's own input, and nothing where a mistake keeps it from being drawn: that is said above. */
export function FieldPreview({ all, at, field }: { all: Package; at: number; field: PackageField }) {
  const [text, setText] = useState("");
  const resource = all.resources[at];
  const keyName = resource && keyOf(resource);
  const key = resource?.schema.fields.find(({ name }) => name === keyName);
  const fields = key === field ? [field] : [key, field];
  const alone = { resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: keyName } }] };
  const read = readCollections(alone, currentCatalogue().language, { readCategories, readConditions });
  const shown = "collections" in read ? read.collections[0]?.byName.get(field.name) : undefined;
  if (!shown) return null;
  const stop = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();
  return (
    <figure className={styles.preview} onKeyDown={stop}>
      <figcaption>{t("In the form")}</figcaption>
      <FieldIdContext value="preview-">
        <FieldInput
          key={JSON.stringify(field)}
          field={shown}
          register={NO_FORM}
          problem={undefined}
          wide
          input={shown.item && (({ id }) => <ListValue field={shown} id={id} text={text} wrong={undefined} onText={setText} />)}
        />
      </FieldIdContext>
    </figure>
  );
}
