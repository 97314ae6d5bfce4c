import type { Field } from "../../core/dictionary/fields.ts";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as textStyles from "../ui/text.module.css";
import { typeInto } from "./type-into.ts";
import { offersFor, understood } from "./typed-values.ts";

interface UnderstoodProps {
  field: Field;
  text: string;
  /** Names the input. */
  id: string;
  /** The text that stood there before anything was typed, of which nobody asks how it is read. */
  stored?: string | undefined;
}

/**
 * Says what was understood, where the typed text could mean something else to someone else, and offers what a number may be that is
 * written in another form. A screen reader says it in a pause.
 */
export function Understood({ field, text, id, stored }: UnderstoodProps) {
  const value = text === stored ? "" : understood(field, text);
  const offers = text === stored ? [] : offersFor(field, text);
  const take = (offer: string) => {
    const input = document.getElementById(id);
    if (!(input instanceof HTMLInputElement)) return;
    typeInto(input, offer);
    input.focus();
  };
  return (
    <output className={textStyles.hint}>
      {value && t("Read as {value}", { value })}
      {offers.map((offer) => (
        <button
          key={offer}
          type="button"
          className={buttonStyles.link}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          {t("Take {value}", { value: offer })}
        </button>
      ))}
    </output>
  );
}
