import type { Collection } from "../../core/dictionary/collections.ts";
import type { Catalogue } from "../../core/i18n/translate.ts";
import type { Act, CheckAnswer, CheckQuery } from "../../pipeline/correction/correction-state.ts";
import type { Choices } from "../../pipeline/model/dialect.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { PauseReason } from "../../pipeline/sending/pauses.ts";

export type Command =
  | { type: "speak"; catalogue: Catalogue } // the first one
  | { type: "look"; file: File; collection: Collection; choices: Choices }
  | { type: "check"; plan: Plan; isAgreed: boolean } // that what cannot be kept of the mending goes
  | { type: "act"; act: Act } // on a checked file
  | { type: "ask"; id: number; query: CheckQuery } // about a checked file
  | { type: "preview"; baseUrl: string; token: string } // of a checked file
  | { type: "upload"; uploadId: string; baseUrl: string; token: string } // the checked file, as it is mended
  /** An upload that was cut off or stopped; the file when there is no copy of it. */
  | { type: "goOn"; uploadId: string; file?: File | undefined; collection: Collection; baseUrl: string; token: string }
  /** Takes back what an ended upload stored. */
  | { type: "undo"; uploadId: string; collection: Collection; baseUrl: string; token: string }
  | { type: "hold"; why: PauseReason }
  | { type: "lift"; why: PauseReason }
  | { type: "token"; token: string } // the answer to signInNeeded
  | { type: "cancel" } // a running check: back to columns; a running upload: its report
  | { type: "errorsFile" };

export type WorkerEvent =
  | { type: "state"; state: UploadState }
  | { type: "signInNeeded" }
  | { type: "answer"; id: number; answer: CheckAnswer }
  | { type: "errorsFile"; blob: Blob; name: string }
  | { type: "broken"; message: string };
