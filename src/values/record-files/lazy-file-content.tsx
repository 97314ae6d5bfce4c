// A stored file as it is shown, loaded only for records that have some.

import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { FileContentProps } from "./file-content.tsx";

export const FileContent = lazyPart<"FileContent", FileContentProps>(
  () => import("./file-content.tsx"),
  "FileContent",
  (_, { value }) => <bdi>{value.name}</bdi>,
);
