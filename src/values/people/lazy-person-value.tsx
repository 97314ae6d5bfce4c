import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { PersonValue as OpenedPersonValue } from "./person-input.tsx";

/** Is loaded only by filters and changes of many records that name people. */
export const PersonValue = lazyPart<"PersonValue", React.ComponentProps<typeof OpenedPersonValue>>(
  () => import("./person-input.tsx"),
  "PersonValue",
);
