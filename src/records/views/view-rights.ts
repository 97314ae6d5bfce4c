import type { Me } from "../../../core/contract/people.ts";
import { allows } from "../../../core/contract/scopes.ts";
import type { View } from "../../../core/contract/views.ts";

/** Says whether the caller may make views for everybody, as the service sees it: whoever writes records of the collection. */
export function mayShare({ name }: { name: string }, me: Me | undefined): boolean {
  return me ? allows(me.scope, `${name}:create`) || allows(me.scope, `${name}:update`) : false;
}

/** Says whether the caller may change and delete the view: its maker or, of one for everybody, an administrator. */
export function mayChange({ createdBy, isShared, collection }: View, me: Me | undefined): boolean {
  if (!me) return false;
  if (allows(me.scope, "admin")) return true;
  return isMaker({ createdBy }, me) && (!isShared || mayShare({ name: collection }, me));
}

export function isMaker({ createdBy }: Pick<View, "createdBy">, me: Me | undefined): boolean {
  return createdBy !== null && createdBy.type === me?.principal.type && createdBy.id === me.principal.id;
}

/** Says whether the caller may choose who sees the view. Somebody else's view for all would be theirs alone: nobody else could bring it back. */
export function mayChooseWhoSees(view: Pick<View, "createdBy" | "isShared" | "collection">, me: Me | undefined): boolean {
  return isMaker(view, me) && (view.isShared || mayShare({ name: view.collection }, me));
}
