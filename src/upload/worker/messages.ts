import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Catalogue } from "../../../core/i18n/translate.ts";
import type { Act, CheckAnswer, CheckQuery, PlanAnswer, PlanQuery } from "../../../pipeline/correction/correction-state.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import type { SentAgain } from "../../../pipeline/sending/journal.ts";
import type { PauseReason } from "../../../pipeline/sending/pauses.ts";
import type { ColumnFound, ColumnWork } from "./column-work.ts";
import type { MissingFound } from "./missing-work.ts";
import type { Proposed, ProposeWork } from "./propose-work.ts";

export type Command =
  | { type: "columns"; work: ColumnWork } // in a worker of its own, which nothing else is asked of
  | { type: "propose"; work: ProposeWork } // the same, of a file that has no collection yet
  /** The first one. `person`: whose what is stored is, from personKey(). */
  | { type: "setReader"; catalogue: Catalogue; locale: string | undefined; person: string }
  /** `uploadId`: under which its corrections are stored, until it is uploaded under it; without one they are not. Without `file` it is the file that is open. */
  | { type: "inspect"; file: File | undefined; collection: Collection; choices: Choices; uploadId?: string; again?: SentAgain | undefined }
  | { type: "check"; plan: Plan; isAgreed: boolean; baseUrl: string; token: string } // to lose corrections that cannot be carried over
  | { type: "act"; act: Act } // on a checked file
  | { type: "query"; id: number; query: CheckQuery | PlanQuery } // about a checked file
  | { type: "preview"; baseUrl: string; token: string } // of a checked file
  | { type: "upload"; uploadId: string; again?: SentAgain | undefined; baseUrl: string; token: string } // the checked file, as corrected
  | { type: "anyway" } // the answer to the question whether to upload what somebody else uploads
  /** An upload that was interrupted or stopped. `file` when there is no copy of it. */
  | {
      type: "continue";
      uploadId: string;
      file?: File | undefined;
      collection: Collection;
      /** All that there are, because it may create parents; none where the collection has its own already. */
      collections: readonly Collection[];
      baseUrl: string;
      token: string;
    }
  /** Undoes an ended upload. `collections`: all that there are, because it may have created parents. */
  | { type: "undo"; uploadId: string; collection: Collection; collections: readonly Collection[]; baseUrl: string; token: string }
  | { type: "pause"; why: PauseReason }
  | { type: "unpause"; why: PauseReason }
  | { type: "token"; token: string } // the answer to signInNeeded
  | { type: "cancel" } // a running check: back to columns; a running upload: its report
  | { type: "errorsFile" }
  | { type: "missing"; baseUrl: string; token: string } // the stored records that an ended upload has no row for
  | { type: "endMissing" };

export type WorkerEvent =
  | { type: "columns"; found: ColumnFound }
  | { type: "proposed"; proposed: Proposed }
  | { type: "state"; state: UploadState }
  | { type: "signInNeeded" }
  | { type: "answer"; id: number; answer: CheckAnswer | PlanAnswer }
  | { type: "errorsFile"; blob: Blob; name: string }
  | { type: "errorsFile"; refused: string } // the file can no longer be read
  | { type: "missing"; found: MissingFound }
  | { type: "broken"; message: string };
