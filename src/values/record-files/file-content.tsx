// A stored file: its picture, if it is one, its name and size, and a button that saves it.

import { useEffect, useRef, useState } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { FileValue } from "../../../core/dictionary/files.ts";
import { t } from "../../../core/i18n/translate.ts";
import { download } from "../../app/services/download.ts";
import { useServices } from "../../app/services/services.ts";
import { readContent } from "../../service/files.ts";
import { idOf } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../bytes-and-seconds.ts";
import * as styles from "./file-input.module.css";
import { isPicture } from "./file-words.ts";

export interface FileContentProps {
  collection: Collection;
  field: Field;
  value: FileValue;
  record: WireRecord;
}

export const MOST_DRAWN = 25_000_000; // bytes of a picture that is read to be shown
const WIDTH = 240; // CSS pixels

export function FileContent({ collection, field, value, record }: FileContentProps) {
  const { client } = useServices();
  const [status, setStatus] = useState<"reading" | Error>();
  const id = idOf(collection, record);
  const save = async () => {
    setStatus("reading");
    try {
      download(await readContent(client, collection, id, field, value), value.name);
      setStatus(undefined);
    } catch (error) {
      setStatus(error as Error);
    }
  };
  return (
    <div className={styles.content}>
      {isPicture(value.type) && value.size <= MOST_DRAWN && (
        <Picture key={value.hash} name={value.name} read={(signal) => readContent(client, collection, id, field, value, signal)} />
      )}
      <span className={styles.name}>
        <bdi>{value.name}</bdi> <span className={textStyles.dim}>{formatBytes(value.size)}</span>
      </span>
      <button type="button" className={buttonStyles.quiet} disabled={status === "reading"} onClick={() => void save()}>
        {t("Download")}
        <span className={textStyles.hidden}> {value.name}</span>
      </button>
      {status instanceof Error && (
        <span className={textStyles.error} role="alert">
          {status.message}
        </span>
      )}
    </div>
  );
}

/**
 * Is drawn from bytes that were read with the person's rights, turned upright: no address of the service stands in the page, and nothing of
 * it can run.
 */
export function Picture({ name, read }: { name: string; read: (signal: AbortSignal) => Promise<Blob> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(read);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    const draw = async () => {
      const bitmap = await createImageBitmap(await latest.current(end.signal));
      const place = canvas.current;
      if (place && !end.signal.aborted) {
        const width = Math.min(bitmap.width, WIDTH * Math.min(2, window.devicePixelRatio));
        place.width = width;
        place.height = Math.max(1, Math.round((bitmap.height * width) / bitmap.width));
        place.getContext("2d")?.drawImage(bitmap, 0, 0, place.width, place.height);
        setShown(true);
      }
      bitmap.close();
    };
    void draw().catch(() => undefined); // its name and the button stay
    return () => end.abort();
  }, []);
  return <canvas ref={canvas} className={styles.picture} role="img" aria-label={name} hidden={!isShown} />;
}
