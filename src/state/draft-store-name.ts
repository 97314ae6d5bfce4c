// Where this computer keeps what was typed and not saved (IndexedDB). A name only, apart from drafts.ts, so that who forgets it carries none of its code.

export const DRAFTS = "intake-drafts";
