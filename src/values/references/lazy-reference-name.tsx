import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { ReferenceNameProps } from "./reference-name.tsx";

/** Is loaded only by collections that refer to others. Until then the number is shown. */
export const ReferenceName = lazyPart<"ReferenceName", ReferenceNameProps>(
  () => import("./reference-name.tsx"),
  "ReferenceName",
  (_, { text }) => <bdi>{text}</bdi>,
);
