import { lazyPart } from "../../app/code/lazy-page.tsx";

// Most people upload one file, so their pages do not wait for this.
export const QueuePanel = lazyPart(() => import("./queue-panel.tsx"), "QueuePanel");
