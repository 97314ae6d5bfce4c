/** Names what a role may leave out of a field. What stands earlier leaves out more. */
export const FIELD_CONDITIONS = ["hidden", "masked", "readOnly"] as const;
export type FieldCondition = (typeof FIELD_CONDITIONS)[number];
