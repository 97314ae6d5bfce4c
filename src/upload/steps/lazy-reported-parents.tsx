// Loads what is said of parents only after uploads that created some.

import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { ReportedParentsProps } from "./reported-parents.tsx";

export const ReportedParents = lazyPart<"ReportedParents", ReportedParentsProps>(() => import("./reported-parents.tsx"), "ReportedParents");
