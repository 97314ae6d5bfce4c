// Says in words why two records are alike.

import type { Reason } from "../contract/duplicates.ts";
import { t, tCount } from "../i18n/translate.ts";
import type { Collection } from "./collections.ts";

/** Says it as "Phone: the same". */
export function reasonWords(collection: Collection, reason: Reason): string {
  const [name = ""] = reason.fields;
  const field = reason.as === "name" && reason.fields.length > 1 ? t("Name") : (collection.byName.get(name)?.title ?? name);
  return t("{field}: {how}", { field, how: foundWords(reason) });
}

function foundWords({ as, found, letters = 1 }: Reason): string {
  switch (found) {
    case "same":
      return t("the same");
    case "swapped":
      return as === "date" ? t("day and month swapped") : t("the same in another order");
    case "letters":
      return ["phone", "date"].includes(as)
        ? tCount(letters, "one digit differs", "{n} digits differ")
        : tCount(letters, "one letter differs", "{n} letters differ");
    case "days":
      return t("a few days apart");
    case "longer":
      return t("one has more names");
    case "initials":
      return t("one is abbreviated");
    case "part":
      return t("a part is the same");
    case "different":
      return t("different");
  }
}
