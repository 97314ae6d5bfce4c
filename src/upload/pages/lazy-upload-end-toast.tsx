// The announcement of an upload's end, for the layout, which has it on every page.

import { lazyPart, nothing } from "../../app/code/lazy-page.tsx";

/** The page of an upload fetches it when it opens, so that no later deployment takes it away before the upload ends. */
export const UploadEndToast = lazyPart(() => import("./upload-end-toast.tsx"), "UploadEndToast", nothing);
