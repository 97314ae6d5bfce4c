import { useMemo } from "react";
import { isIdText } from "../../../core/contract/paths.ts";
import { childrenOf } from "../../../core/dictionary/children.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { ReferenceField } from "../../../core/dictionary/fields.ts";
import type { Search } from "../../app/router/paths.ts";
import { useDictionary } from "../../app/services/services.ts";
import type { Texts } from "../field-text.ts";
import { capitalize } from "../record-detail.ts";

/** Records that hang below one of the collection: those of `child` that refer to it in `field`. */
export interface Relation {
  /** Stands in the address. */
  name: string;
  title: string;
  child: Collection;
  field: ReferenceField;
}

export function useRelations(collection: Collection): readonly Relation[] {
  const { collections } = useDictionary();
  return useMemo(() => {
    const found = childrenOf(collections, collection);
    return found.map(({ child, field }) => {
      const isOnly = found.filter((other) => other.child === child).length === 1;
      const name = isOnly ? child.name : `${child.name}.${field.name}`;
      return { child, field, name, title: isOnly ? child.title : `${child.title}: ${capitalize(field.title)}` };
    });
  }, [collections, collection]);
}

/** Returns the parents that the address of a new record names, as texts of its inputs. */
export function givenParents({ references }: Collection, search: Search): Texts {
  return Object.fromEntries(
    references.flatMap(({ name }) => {
      const text = search[name];
      return text !== undefined && isIdText(text) ? [[name, text]] : [];
    }),
  );
}
