// The input of a field with one file or several.

import { type FormFileProps, FormFile as OneFile } from "./file-input.tsx";
import { FormFiles } from "./files-input.tsx";

export function FormFile(props: FormFileProps) {
  return props.field.item ? <FormFiles {...props} /> : <OneFile {...props} />;
}
