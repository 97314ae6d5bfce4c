// Reads a stream of Server-Sent Events (HTML standard, section 9.2.6) with fetch, because EventSource can send no token.

/** An event, or as much of one as matters here. Comments and events with neither are left out. */
export interface StreamEvent {
  id: string | undefined;
  /** Is undefined for a change. */
  type: string | undefined;
  data: string | undefined;
}

/** Gives the events of each piece that arrives, none for a comment: so the caller knows that the connection lives. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value.replaceAll("\r\n", "\n")).split("\n\n");
      rest = blocks.pop() ?? "";
      yield blocks.map(readEvent).filter(({ id, data }) => id !== undefined || data !== undefined);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readEvent(block: string): StreamEvent {
  const values = (field: string) =>
    block.split("\n").flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, "")] : []));
  const data = values("data");
  return { id: values("id").at(-1), type: values("event").at(-1), data: data.length > 0 ? data.join("\n") : undefined };
}
