// Says which fields of a record are shown where it is only read.

import { useEffect, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import { areRulesLoaded, askStates, loadRules } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { dayIn } from "../../../core/forms/time-zones.ts";
import { fieldValue } from "../../values/field-value.ts";

/** Returns the fields of the form, without those that are empty because nobody asks for them, and without formulas that are not shown then. */
export function useShownFields(collection: Collection, record: WireRecord): readonly Field[] {
  const [isLoaded, setLoaded] = useState(areRulesLoaded(collection));
  useEffect(() => {
    let isMounted = true;
    if (!isLoaded) void loadRules(collection).then(() => isMounted && setLoaded(true));
    return () => {
      isMounted = false;
    };
  }, [collection, isLoaded]);
  const scope = { record, old: record, me: null, today: dayIn(collection.timeZone ?? "UTC", Date.now()) };
  const states = isLoaded ? askStates(collection, scope) : new Map();
  const isAsked = (field: Field) => field.visibleIf === undefined || (states.get(field.name)?.isVisible ?? false);
  return collection.form.filter((field) => isAsked(field) || (field.computed === undefined && fieldValue(record, field) !== null));
}
