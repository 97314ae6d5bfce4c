// Loads pages that few people open in a day, so that the names of all that they need are no part of the first load.

export const administration = () => import("../../settings/administration.tsx");
export const merge = () => import("../../records/merge/merge-page.tsx");
export const duplicates = () => import("../../records/duplicates/duplicates-page.tsx");
