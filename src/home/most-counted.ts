/** So many collections are counted on the start page at most: each count is a request. */
export const MOST_COUNTED = 8;
