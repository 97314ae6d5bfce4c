// Loads pages that few people open in a day. The names of all that they need stand in this file's own chunk, and not in the first load.

export const administration = () => import("../../settings/administration.tsx");
export const merge = () => import("../../records/merge/merge-page.tsx");
export const duplicates = () => import("../../records/duplicates/duplicates-page.tsx");
