import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { ReferenceNameProps } from "./reference-name.tsx";

/** Loaded only by collections that refer to others. Until then the number. */
export const ReferenceName = lazyPart<"ReferenceName", ReferenceNameProps>(
  () => import("./reference-name.tsx"),
  "ReferenceName",
  (_, { text }) => <bdi>{text}</bdi>,
);
