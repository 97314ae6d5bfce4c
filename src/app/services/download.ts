// Saves files: through the browser’s downloads, or straight to the disk where the browser can.

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads the blob after click() has returned
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The File System Access API (WICG), missing in some browsers. */
interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableStream<Bytes>> }>;
}

/**
 * Opens a stream into a new file: straight to the disk, or else collected for the browser's downloads. Aborting it leaves no file.
 * Undefined when the user cancelled. Must be called during a click.
 */
export async function openDownload(name: string): Promise<WritableStream<Bytes> | undefined> {
  const picker = (window as Picker).showSaveFilePicker;
  if (!picker) return collect(name);
  try {
    return await (await picker.call(window, { suggestedName: name })).createWritable();
  } catch (error) {
    if ((error as Error).name === "AbortError") return undefined;
    return collect(name); // not allowed here, for example in a frame
  }
}

function collect(name: string): WritableStream<Bytes> {
  const parts: Bytes[] = [];
  return new WritableStream({
    write: (bytes) => void parts.push(bytes),
    close: () => download(new Blob(parts, { type: name.endsWith(".csv") ? "text/csv" : "" }), name),
  });
}
