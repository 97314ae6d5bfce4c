import { expect, test } from "vitest";
import { collectionOf } from "../../testing/fields.ts";
import { foundIn } from "./found-in.ts";

const fields = [
  { name: "first", title: "First name", type: "string" },
  { name: "last", title: "Last name", type: "string" },
  { name: "account", title: "Account", type: "string" },
  { name: "phone", title: "Phone", type: "string", format: "phone" },
  { name: "email", title: "E-mail", type: "string", format: "email" },
  { name: "born", title: "Date of birth", type: "date" },
  { name: "children", title: "Children", type: "integer" },
  {
    name: "state",
    title: "State",
    type: "string",
    categories: [{ value: "h", label: "On hold" }],
  },
];
const collection = collectionOf(fields);

const ADA = {
  id: 4711,
  first: "Adelheid",
  last: "Müllerhausen",
  account: "0000310",
  phone: "+49 (0)221 940217",
  email: "a.muellerhausen@beispielwerk.de",
  born: "1980-03-14",
  children: 3,
  state: "h",
};

test.each([
  ["mull", "last"],
  ["ADEL", "first"],
  ["0000310", "account"],
  ["310", "account"],
  ["0221 940217", "phone"],
  ["0221940217", "phone"],
  ["+49221940217", "phone"],
  ["0217", "phone"],
  ["beispielwerk", "email"],
  ["1980-03-14", "born"],
  ["hold", "state"],
  ["4711", "id"],
  ["adelheid beispielwerk", "first"], // each has one word: the first in the form
  ["adel de beispielwerk", "email"], // it has most
  ["lerhau", "last"], // within a word
  ["3", "account"], // no amount is searched
  ["nobody", undefined],
  ["", undefined],
])("a record found by “%s” has it in %s", (q, name) => {
  expect(foundIn(collection, ADA, q)?.name).toBe(name);
});
