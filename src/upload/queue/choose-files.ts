import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { Services } from "../../app/services/services.ts";

/** One file is opened at once. Several, or one more while others wait, are queued. */
export async function chooseFiles(
  { uploadManager, toasts }: Pick<Services, "uploadManager" | "toasts">,
  files: readonly File[],
  collection: Collection,
): Promise<void> {
  const [file] = files;
  const { queue } = uploadManager.state();
  if (!file) return;
  if (files.length === 1 && queue?.collection.name !== collection.name) return uploadManager.inspect(file, collection);
  const part = await import("../manager/file-queue.ts").catch(() => undefined);
  if (part) part.fileQueueOf(uploadManager).add(files, collection);
  else toasts.show({ message: t("A part of the app could not be loaded. Reload the page and try again; nothing was changed.") });
}
