// The colours that a dictionary may give its collections.

/** They stand in the order of the tokens `--hue-0` to `--hue-5`. */
export const COLLECTION_COLORS = ["blue", "teal", "amber", "violet", "green", "rose"] as const;

export type CollectionColor = (typeof COLLECTION_COLORS)[number];
