import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Command, WorkerEvent } from "../upload/worker/messages.ts";

/** The other end of the upload manager's worker: what the page asks of it, and what it answers. */
export interface WorkerPort {
  /** Is what `createUploadManager` calls for a worker. */
  start(): Worker;
  /** The commands so far, in order. */
  commands: Command[];
  post(event: WorkerEvent): void;
}

export function openWorkerPort(): WorkerPort {
  const commands: Command[] = [];
  let port: MessagePort | undefined;
  return {
    commands,
    start() {
      const { port1, port2 } = new MessageChannel();
      port2.on("message", (command: Command) => commands.push(command));
      port2.unref();
      port = port2;
      return Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker;
    },
    post: (event) => port?.postMessage(event),
  };
}
