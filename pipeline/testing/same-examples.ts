// Lets tests with random examples draw the same ones in each run. SEED or DEEP draws others.

import fc from "fast-check";

const { SEED, DEEP } = process.env;
if (SEED || !DEEP) fc.configureGlobal({ seed: Number(SEED ?? 1) });
