// Says the size of files, and which of them a field takes.

import type { Field } from "../../../core/dictionary/fields.ts";
import { type FileRules, type FileValue, isAcceptedType } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { formatBytes } from "../bytes-and-seconds.ts";

/** Says what a file of the field may be, before one is chosen. */
export function describeRules({ accept, maxSize }: FileRules): string {
  const size = formatBytes(maxSize);
  return accept.length === 0
    ? t("Any file of at most {size}.", { size })
    : t("{types}, at most {size}.", { types: accept.map(typeName).join(", "), size });
}

/** Says why a chosen file is not taken; undefined where the service decides, which looks at the content. */
export function problemOfFile({ title, file }: Field, { size, type }: Pick<File, "size" | "type">): string | undefined {
  if (!file) return undefined;
  if (size > file.maxSize)
    return t("The file is {size}. {title} takes at most {most}.", { title, size: formatBytes(size), most: formatBytes(file.maxSize) });
  if (size === 0) return t("The file is empty.");
  return type !== "" && !isAcceptedType(file, type) ? wrongTypeMessage(title, file) : undefined;
}

export function wrongTypeMessage(title: string, { accept }: FileRules): string {
  return t("{title} takes other files: {types}.", { title, types: accept.map(typeName).join(", ") });
}

function typeName(type: string): string {
  if (type === "image/*") return t("Pictures");
  if (type === "video/*") return t("Videos");
  if (type === "audio/*") return t("Sound");
  return (type.split("/")[1] ?? type).toUpperCase();
}

/** Is true of the types of pictures that every browser draws. */
export function isPicture(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(type);
}

const MOST_HASHED = 25_000_000; // bytes that are read into memory to be compared

/** Says whether a stored file is the one that was sent; no file is the same as none. False where nobody can say. */
export async function isSameContent(file: File | undefined, stored: FileValue | undefined): Promise<boolean> {
  if (!file || !stored) return !file && !stored;
  if (file.size !== stored.size || file.size > MOST_HASHED || !globalThis.crypto?.subtle) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === stored.hash;
}

/** Says whether the file is not on the disk any more as it was when it was chosen. */
export function isUnreadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );
}
