import type { Collection } from "../../../core/dictionary/collections.ts";
import type { UploadMode } from "../../../pipeline/model/plan.ts";
import { useMay } from "../../app/services/permissions.ts";

const NEEDED: Record<UploadMode, readonly ("create" | "update")[]> = {
  create: ["create"],
  upsert: ["create", "update"],
  update: ["update"],
};

/** Returns the modes that the caller has the rights for. */
export function useModes(collection: Collection): UploadMode[] {
  const may = useMay(collection);
  return (Object.keys(NEEDED) as UploadMode[]).filter((mode) => NEEDED[mode].every((right) => may(right) !== false));
}
