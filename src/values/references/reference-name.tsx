// The name of a parent in place of its number, as text or as a link to it.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useCollection } from "../../app/services/services.ts";
import * as textStyles from "../../ui/text.module.css";
import { useParent } from "./use-parent.ts";

export interface ReferenceNameProps {
  field: Field;
  /** The key of the parent. */
  text: string;
  isLink?: boolean;
}

/** Shows the number itself until the name is known, and for those who may not read it. */
export function ReferenceName({ field, text, isLink = false }: ReferenceNameProps) {
  const parent = useCollection(field.reference?.collection);
  return parent ? <Name parent={parent} text={text} isLink={isLink} /> : <bdi>{text}</bdi>;
}

function Name({ parent, text, isLink }: { parent: Collection; text: string; isLink: boolean }) {
  const { name, isMissing } = useParent(parent, text);
  if (isMissing) {
    return (
      <span className={textStyles.dim} title={t("There is no {noun} {id}", { noun: parent.noun, id: text })}>
        {t("{id} (not there)", { id: text })}
      </span>
    );
  }
  if (!isLink) return <bdi>{name ?? text}</bdi>;
  return (
    <Link to="/$collection/$id" params={{ collection: parent.name, id: text }}>
      <bdi>{name ?? text}</bdi>
    </Link>
  );
}

/** Stands at the end of an input's label, and leads to the parent that is chosen. */
export function OpenReference({ field, text }: ReferenceNameProps) {
  const parent = useCollection(field.reference?.collection);
  return parent && text !== "" ? <Open parent={parent} text={text} /> : null;
}

function Open({ parent, text }: { parent: Collection; text: string }) {
  const { name } = useParent(parent, text);
  if (name === undefined) return null;
  return (
    <Link to="/$collection/$id" params={{ collection: parent.name, id: text }} aria-label={t("Open {name}", { name })}>
      {t("Open")}
    </Link>
  );
}
