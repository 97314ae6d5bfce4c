// The links of e-mail, web and phone fields, loaded only for records that have such fields.

import type { ContactLinkProps } from "../../../fields/contact-link.tsx";
import { lazyPart } from "../../../navigation/lazy-page.tsx";

export const ContactLink = lazyPart<"ContactLink", ContactLinkProps>(
  () => import("../../../fields/contact-link.tsx"),
  "ContactLink",
  (_, { children }) => children,
);
