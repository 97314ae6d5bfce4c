// A record is found by whatever half of it a person knows: each way is a line of one table.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

const DICTIONARY = {
  $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
  resources: [
    {
      name: "people",
      title: "People",
      singular: "person",
      noun: "person",
      label: ["first", "last"],
      schema: {
        fields: [
          { name: "id", title: "ID", type: "integer", constraints: { required: true, unique: true } },
          { name: "first", title: "First name", type: "string" },
          { name: "last", title: "Last name", type: "string" },
          { name: "account", title: "Account", type: "string" },
          { name: "phone", title: "Phone", type: "string", format: "phone" },
          { name: "email", title: "E-mail", type: "string", format: "email" },
          { name: "born", title: "Date of birth", type: "date" },
          { name: "address", title: "Address", type: "string" },
        ],
        primaryKey: ["id"],
      },
    },
  ],
};

const ADA = {
  id: 4711,
  first: "Adelheid",
  last: "Müllerhausen",
  account: "0000310",
  phone: "+49 221 940217",
  email: "a.muellerhausen@beispielwerk.de",
  born: "1980-03-14",
  address: "Domstraße 3, 50667 Köln",
};
const OTHERS = [
  {
    id: 1,
    first: "Bo",
    last: "Öberg",
    account: "1980",
    phone: "+46 8 123 45 67",
    email: "bo@example.se",
    born: "1980-03-15",
    address: "Stockholm",
  },
  {
    id: 2,
    first: "Cem",
    last: "Kaya",
    account: "14",
    phone: "0221 55501",
    email: "cem@example.com",
    born: "1981-03-14",
    address: "50668 Köln",
  },
  { id: 3, first: "Dee", last: "O’Brien", account: "3", phone: "+44 (0)20 7123 4567", email: null, born: null, address: "London" },
  { id: 6, first: "Fay", last: "Rossi", account: "6", phone: "+39 06 698 12345", email: null, born: null, address: "Roma, 03/04/1977" },
  { id: 7, first: "Gus", last: "Berg", account: "0001234-5678", phone: "+49 30 8247087", email: null, born: null, address: "Berlin" },
  { id: 8, first: "Hal", last: "Amt", account: "8", phone: "030 / 555 12-34", email: null, born: null, address: "Berlin" },
  { id: 5, first: "Eva", last: "Lind", account: "5", phone: "+49221888999", email: null, born: null, address: null },
];

let service: TestService;
beforeAll(async () => {
  service = await openTestService(DICTIONARY);
  const { status } = await service.call("POST", "/v1/people", [ADA, ...OTHERS]);
  expect(status).toBe(201);
});
afterAll(() => service.close());

interface Found {
  people: { id: number }[];
  exact?: { id: number }[];
  didYouMean?: string[];
}

async function search(q: string): Promise<Found> {
  return (await service.call("GET", `/v1/people?hints=true&q=${encodeURIComponent(q)}`)).json as Found;
}
const idsOf = (found: readonly { id: number }[] = []) => found.map(({ id }) => id);

describe("a person is found by", () => {
  test.each([
    ["the beginning of the name", "adel"],
    ["umlauts as ue", "Muellerhausen"],
    ["the phone number as it is dialled within the country", "0221 940217"],
    ["that in one", "0221940217"],
    ["that from abroad", "+49 221 940217"],
    ["the last digits of the phone number", "0217"],
    ["the e-mail address before the @", "a.muellerhausen"],
    ["the domain", "beispielwerk"],
    ["the date of birth", "1980-03-14"],
    ["postcode and city", "50667 köln"],
    ["two words in the other order", "müller adel"],
  ])("%s: “%s”", async (_, q) => {
    const { people, didYouMean = [] } = await search(q);
    const again = people.length === 0 && didYouMean[0] ? await search(didYouMean[0]) : { people };
    expect(idsOf(again.people)).toEqual([ADA.id]);
  });

  test.each([
    ["the key", "4711"],
    ["the account without its zeros", "310"],
  ])("%s: “%s”", async (_, q) => {
    const { people, exact } = await search(q);
    expect([...new Set([...idsOf(exact), ...idsOf(people)])]).toEqual([ADA.id]);
  });

  test.each([
    ["one wrong letter", "Adelhaid", "Adelheid"],
    ["the middle of the name", "lerhaus", "Müllerhausen"],
  ])("%s, of “%s”, as a question: “%s”?", async (_, q, meant) => {
    const { people, didYouMean } = await search(q);
    expect([idsOf(people), didYouMean]).toEqual([[], [meant]]);
    expect(idsOf((await search(meant)).people)).toEqual([ADA.id]);
  });
});

test.each([
  ["a year or a day alone finds nobody by the date of birth", "1981", []],
  ["a number without its own zero", "02071234567", [3]],
  ["a number that is stored in one, in two parts", "0221 888999", [5]],
  ["that in one", "0221888999", [5]],
  ["other groups than it is stored in", "030 824 70 87", [7]],
  ["and with a stroke", "030/824 70 87", [7]],
  ["the number from abroad in one word", "0049 30 8247087", [7]],
  ["the zero in brackets", "+49 (0)30 824 7087", [7]],
  ["a caller's number, of one that is stored as it is dialled at home", "+49305551234", [8]],
  ["that at home", "0305551234", [8]],
  ["its beginning", "030 824 70", [7]],
  ["a zero that belongs to the number", "+39 06 6981 2345", [6]],
  ["and within the country", "06 698 123 45", [6]],
  ["a day of a text, which is no number", "03/04/1977", [6]],
  ["an account with zeros before it", "0001234", [7]],
  ["a day in another year", "1981-03-14", [2]],
])("%s: “%s”", async (_, q, ids) => {
  expect(idsOf((await search(q)).people)).toEqual(ids);
});
