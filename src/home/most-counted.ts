/** Collections that the start page shows at most, each with its count, which is a request. The sidebar has the others. */
export const MOST_COUNTED = 8;
