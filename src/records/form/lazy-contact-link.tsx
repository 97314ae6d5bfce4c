// The links of e-mail, web and phone fields, loaded only for records that have such fields.

import { lazyPart } from "../../app/code/lazy-page.tsx";
import type { ContactLinkProps } from "../../values/contact-link.tsx";

export const ContactLink = lazyPart<"ContactLink", ContactLinkProps>(
  () => import("../../values/contact-link.tsx"),
  "ContactLink",
  (_, { children }) => children,
);
