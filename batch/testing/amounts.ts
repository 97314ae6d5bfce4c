// A collection with exact and floating amounts, for tests of the forms of numbers.

import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";

const NAMES = ["thousands", "fraction", "over", "overLead", "trail", "lead", "packed", "compSix", "binary", "native"] as const;

export const AMOUNTS_PACKAGE = {
  name: "amounts",
  resources: [
    {
      name: "amounts",
      schema: {
        fields: [
          { name: "id", type: "integer", constraints: { required: true } },
          { name: "single", type: "number" },
          { name: "double", type: "number" },
          ...NAMES.map((name) => ({ name, type: "number", decimals: 5 })),
          { name: "text", type: "string" },
          { name: "name", type: "string" },
          { name: "at", type: "datetime" },
          { name: "day", type: "date" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};
const read = readDataPackage(AMOUNTS_PACKAGE);
const [first] = "collections" in read ? read.collections : [];
if (!first) throw new Error(`The data package of the tests is wrong: ${JSON.stringify(read)}`);

export const amounts: Collection = first;
