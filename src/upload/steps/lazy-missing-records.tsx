// Loads what compares the file with what is stored only after uploads that found stored records.

import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { MissingRecordsProps } from "./missing-records.tsx";

export const MissingRecords = lazyPart<"MissingRecords", MissingRecordsProps>(() => import("./missing-records.tsx"), "MissingRecords");
