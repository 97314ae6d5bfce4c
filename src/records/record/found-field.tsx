// Opens a record that a search has found at the field that the search stands in.

import { useEffect, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Announce } from "../../ui/announce.tsx";
import { afterPaint } from "../../ui/focus/after-paint.ts";
import { foundIn } from "../query/found-in.ts";
import "./found-field.module.css";

export interface FoundFieldProps {
  collection: Collection;
  record: WireRecord;
  /** The search, as the service got it. */
  q: string;
}

/**
 * Marks the field, and brings it into sight with the focus on the field rather than in its input: Tab leads there, single keys still
 * work, and no keyboard comes up on a phone. A field of the record's name stands in the heading already: it is only marked.
 */
export function FoundField({ collection, record, q }: FoundFieldProps) {
  const [field] = useState(() => foundIn(collection, record, q)); // what is typed or saved later moves nothing
  useEffect(() => {
    if (!field) return;
    let place: HTMLElement | null = null;
    let giveUp: (() => void) | undefined;
    const mark = () => {
      place = document.querySelector<HTMLElement>(`[data-own] [data-field="${CSS.escape(field.name)}"]`);
      if (!place) return;
      drawing.disconnect();
      place.dataset.found = "";
      place.tabIndex = -1;
      const section = place.closest("details");
      if (section) section.open = true;
      const found = place;
      if (!collection.label.includes(field)) giveUp = afterPaint(() => take(found));
    };
    const drawing = new MutationObserver(mark); // the code of a record that is only read comes later
    drawing.observe(document.body, { childList: true, subtree: true });
    mark();
    return () => {
      drawing.disconnect();
      giveUp?.();
      delete place?.dataset.found;
      place?.removeAttribute("tabindex");
    };
  }, [collection, field]);
  return field ? <Announce text={t("“{search}” was found in {field}.", { search: q, field: field.title })} /> : null;
}

/** Whoever has begun to do something on the page is left there. */
function take(place: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.tagName !== "H1") return;
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}
