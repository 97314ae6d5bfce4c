import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { collectionOf } from "../testing/fields.ts";
import { keys } from "./records.ts";
import { seenPrincipals } from "./seen-principals.ts";

test("who wrote the records of the lists is known, whatever else was read of the collection", () => {
  const collection = collectionOf([{ name: "name", title: "Name", type: "string" }]);
  const queries = new QueryClient();
  const [ada, bo] = [
    { type: "person", id: "1", name: "Ada" },
    { type: "person", id: "2", name: "Bo" },
  ];
  const records = [
    { id: 1, createdBy: bo, updatedBy: ada },
    { id: 2, createdBy: ada, updatedBy: null },
  ];
  queries.setQueryData([...keys.lists(collection), { limit: "50" }], { records });
  queries.setQueryData([...keys.lists(collection), "count", {}], 2);
  queries.setQueryData([...keys.lists(collection), "previousNext", 1], { previous: undefined, next: 2 });
  queries.setQueryData([...keys.lists(collection), "possibleDuplicates", "ada"], []);
  expect(seenPrincipals(queries, collection)).toEqual([ada, bo]);
});
