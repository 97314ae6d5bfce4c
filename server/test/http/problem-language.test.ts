// Problems in the language that a request asks for, with the names and messages of the dictionary. Codes stay.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";
import { openTestService } from "../../testing/service.ts";

const field = (name: string, title: string, german: string, more: object = {}) => ({
  name,
  title,
  type: "string",
  translations: { de: { title: german } },
  ...more,
});
const PACKAGE = {
  title: "Staff",
  resources: [
    {
      name: "staff",
      singular: "member",
      noun: "member",
      title: "Staff",
      translations: { de: { title: "Belegschaft", noun: "Mitglied" } },
      rules: [
        {
          name: "endAfterStart",
          must: "endOn >= startOn",
          message: "The end must not be before the start.",
          translations: { de: { message: "Das Ende darf nicht vor dem Beginn liegen." } },
        },
        {
          name: "highSalary",
          must: "salary <= 9000",
          severity: "warning",
          message: "This salary is unusually high.",
          translations: { de: { message: "Dieses Gehalt ist ungewöhnlich hoch." } },
        },
      ],
      schema: {
        fields: [
          field("id", "Number", "Nummer", { type: "integer" }),
          field("name", "Full name", "Ganzer Name", { constraints: { required: true, maxLength: 10 } }),
          field("badge", "Badge", "Ausweis", { constraints: { unique: true } }),
          field("state", "State", "Zustand", {
            categories: [
              { value: "in", label: "Present", translations: { de: { label: "Anwesend" } } },
              { value: "out", label: "Away", translations: { de: { label: "Abwesend" } } },
            ],
          }),
          ...["startOn", "endOn"].map((name) => field(name, name, name, { type: "date" })),
          field("salary", "Salary", "Gehalt", { type: "number" }),
        ],
        primaryKey: "id",
      },
    },
  ],
};

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
});
afterAll(() => service.close());

const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.5" };
const send = (method: string, url: string, body?: object, headers: Record<string, string | undefined> = german) =>
  service.send(method, url, body, headers);
const details = (json: { errors: { detail: string }[] }) => json.errors.map(({ detail }) => detail);

test("what is wrong with a record is said with the titles and labels of that language, under the same codes", async () => {
  const body = { name: "Ada of the long name", state: "gone", startOn: "x", badges: 1 };
  const refused = await send("POST", "/v1/staff", body);
  const english = await send("POST", "/v1/staff", body, {});
  expect(details(refused.json)).toEqual([
    "Ganzer Name darf höchstens 10 Zeichen haben; hier sind es 20.",
    "Zustand muss einer dieser Werte sein: Anwesend, Abwesend.",
    "startOn: Erwartet wird ein Datum, etwa 2026-01-31.",
    "Belegschaft: Ein Feld mit diesem Namen gibt es nicht. Meinten Sie „badge“?",
  ]);
  expect(refused.json).toMatchObject({
    title: "Die Angaben werden abgelehnt",
    detail: "Die Anfrage hat 4 Probleme; nichts wurde geschrieben.",
  });
  const codes = ({ json }: typeof refused) => [
    json.code,
    ...json.errors.map(({ code, pointer }: Record<string, string>) => [code, pointer]),
  ];
  expect(codes(refused)).toEqual(codes(english));
  expect(details(english.json)[0]).toBe("Full name may have at most 10 characters; this has 20.");
  expect([refused, english].map(({ headers }) => headers["content-language"])).toEqual(["de", "en"]);
  for (const { headers } of [refused, english]) expect(headers.vary).toContain("Accept-Language");
});

test("the missing field, the taken value, the unknown record and the wrong parameter are said so, too", async () => {
  expect((await send("POST", "/v1/staff", {})).json.detail).toBe("Bitte Ganzer Name eingeben.");
  const first = await send("POST", "/v1/staff", { name: "Ada", badge: "B1" });
  expect([first.status, first.headers["content-language"]]).toEqual([201, undefined]);
  expect((await send("POST", "/v1/staff", { name: "Ben", badge: "B1" })).json.detail).toMatch(/Ausweis/);
  const gone = await send("GET", "/v1/staff/999");
  expect([gone.status, gone.json.detail, gone.json.title]).toEqual([
    404,
    "Mitglied: Mit diesem Wert (Nummer) gibt es nichts.",
    "Hier ist nichts",
  ]);
  const wrong = await send("GET", "/v1/staff?limit=x&sorts=name");
  expect(details(wrong.json)).toEqual([
    "limit: Erwartet wird eine ganze Zahl ab 1; mehr als 1000 gilt als 1000.",
    expect.stringMatching(/^Einen Parameter mit diesem Namen gibt es hier nicht\. Meinten Sie sort\? Es gibt: /),
  ]);
  expect(wrong.json.detail).toBe("Die Adresse hat 2 Parameter, die nicht verwendbar sind.");
});

test("HEAD has the header fields of GET, also in that language", async () => {
  const [get, head] = [await send("GET", "/v1/staff/999"), await send("HEAD", "/v1/staff/999")];
  const own = ({ headers }: typeof get) => ["content-length", "content-language", "vary"].map((name) => String(headers[name]));
  expect(own(head)).toEqual(own(get));
});

test("rules and warnings have the message of the dictionary: alone, in a batch, in a dry run and beside what was stored", async () => {
  const broken = { name: "Ada", startOn: "2026-02-01", endOn: "2026-01-01" };
  const high = { name: "Ben", salary: 9500 };
  expect(details((await send("POST", "/v1/staff", broken)).json)).toEqual(Array(2).fill("Das Ende darf nicht vor dem Beginn liegen."));
  expect((await send("POST", "/v1/staff", high)).json).toMatchObject({ code: "WARNING", detail: "Dieses Gehalt ist ungewöhnlich hoch." });
  const stored = await send("POST", "/v1/staff?acknowledge=all", high);
  expect([stored.status, stored.json.warnings[0].detail]).toEqual([201, "Dieses Gehalt ist ungewöhnlich hoch."]);
  for (const more of ["", "&dryRun=true"]) {
    const { status, json, headers } = await send("POST", `/v1/staff?onError=continue&acknowledge=all${more}`, [broken, high, {}]);
    expect([status, headers["content-language"]]).toEqual([207, "de"]);
    expect(json.results[0].problem).toMatchObject({ code: "VALIDATION", title: "Die Angaben werden abgelehnt" });
    expect(details(json.results[0].problem)).toEqual(Array(2).fill("Das Ende darf nicht vor dem Beginn liegen."));
    expect(json.results[1]).toMatchObject({
      outcome: "created",
      warnings: [{ rule: "highSalary", detail: "Dieses Gehalt ist ungewöhnlich hoch." }],
    });
    expect(json.results[2].problem.detail).toBe("Bitte Ganzer Name eingeben.");
  }
});

test("the answer to an idempotency key comes again in the language of whoever asks, and otherwise byte for byte", async () => {
  const records = [{ name: "Cleo" }, { name: "Cleo", badge: "B1" }, {}];
  const ask = (more: Record<string, string>) =>
    send("POST", "/v1/staff?onError=continue", records, { "idempotency-key": "language-1", ...more });
  const [first, inGerman, again] = [await ask({}), await ask(german), await ask({})];
  expect([inGerman, again].map(({ headers }) => headers["idempotent-replayed"])).toEqual(["true", "true"]);
  expect(inGerman.json.results.map(({ problem }: { problem?: { title: string } }) => problem?.title)).toEqual([
    undefined,
    "Die Angaben werden abgelehnt",
    "Die Angaben werden abgelehnt",
  ]);
  expect(inGerman.json.results[0]).toEqual(first.json.results[0]);
  expect(again.text).toBe(first.text);
});

test("routes that know no dictionary answer alike, also without a token, and other languages get English", async () => {
  const open = await send("GET", "/v1/users", undefined, { ...german, authorization: "" });
  expect([open.status, open.json.title]).toEqual([401, "Ein Zugriffstoken wird gebraucht"]);
  const people = await send("POST", "/v1/users", { email: "x", name: "", roles: [] }, { ...german, as: "admin" });
  expect(details(people.json)).toContain("email muss eine Adresse wie anna.berg@example.org sein.");
  for (const language of ["fr", "*", "en,de;q=0.9", "", "de;q=0"]) {
    const { json, headers } = await send("GET", "/v1/staff/999", undefined, { "accept-language": language });
    expect([json.detail, headers["content-language"]]).toEqual(["There is no member with this Number.", "en"]);
  }
});

test("a record whose values read like a problem stays as it is", async () => {
  const name = "Is it?";
  const made = await send("POST", "/v1/staff", [{ name }, { name }]);
  expect([made.status, made.json.staff.length, made.headers["content-language"]]).toEqual([201, 2, undefined]);
});

test("the values of a record stay, though its fields are called like the parts of a problem", async () => {
  const named = (name: string, title = name) => ({ name, title });
  const fields = [{ name: "id", type: "integer" }, named("code"), named("detail"), named("title"), named("message")];
  const incidents = { name: "incidents", singular: "incident", title: "Incidents", schema: { fields, primaryKey: "id" } };
  const own = await openTestService({ resources: [incidents] });
  try {
    const values = { code: "CONFLICT", detail: "The body is not JSON.", title: "The body is not JSON", message: "The body is not JSON" };
    const made = await own.call("POST", "/v1/incidents", values, german);
    expect([made.status, made.json]).toEqual([201, expect.objectContaining(values)]);
  } finally {
    await own.close();
  }
});

test("whoever does not see a field reads neither of its titles", async () => {
  const own = await openTestService(PACKAGE);
  try {
    const conditions = { staff: { fields: { hidden: ["salary"] } } };
    const role = await own.call("POST", "/v1/roles", { name: "Reader", scope: "staff:read staff:create", conditions });
    const { token } = await own.newPerson(role.json.id);
    const headers = { ...german, authorization: `Bearer ${token}`, "content-type": "application/json" };
    const payload = JSON.stringify({ salary: 1, Salary: 1 });
    const { statusCode, payload: text } = await own.app.inject({ method: "POST", url: "/v1/staff", headers, payload });
    expect([statusCode, text.includes("Bitte Ganzer Name eingeben."), /Gehalt/.test(text)]).toEqual([422, true, false]);
  } finally {
    await own.close();
  }
});
