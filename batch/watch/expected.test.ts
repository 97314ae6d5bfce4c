// Tests which file is late at a given time: weekdays, holidays, clocks that change, nights in a row.

import { expect, test } from "vitest";
import { type Expected, lateness, readExpected } from "./expected.ts";

const utc = (text: string) => Date.parse(`${text}:00Z`);
const WORKDAYS: Expected = { by: "06:30", zone: "Europe/Berlin", days: ["mon", "tue", "wed", "thu", "fri"] };

/** In January, Berlin is an hour before UTC: the file is expected by 05:30. January 5 of 2024 is a Friday. */
test.each<[string, Expected, string[], string, string | undefined]>([
  ["it is not yet time", WORKDAYS, ["2024-01-04T04:00"], "2024-01-05T05:29", undefined],
  [
    "it is time",
    WORKDAYS,
    ["2024-01-04T04:00"],
    "2024-01-05T05:30",
    "late. It was expected by 2024-01-05 06:30 (Europe/Berlin). The last one was loaded on 2024-01-04 04:00 UTC.",
  ],
  ["it came in the night", WORKDAYS, ["2024-01-04T04:00", "2024-01-04T23:30"], "2024-01-05T05:30", undefined],
  [
    "one from before midnight is that of the day before",
    WORKDAYS,
    ["2024-01-04T22:30"],
    "2024-01-05T05:30",
    "late. It was expected by 2024-01-05 06:30 (Europe/Berlin). The last one was loaded on 2024-01-04 22:30 UTC.",
  ],
  ["unless the day begins in the evening", { ...WORKDAYS, from: "22:00" }, ["2024-01-04T22:30"], "2024-01-05T05:30", undefined],
  [
    "from and by at the same time are a whole day apart",
    { ...WORKDAYS, from: "06:30" },
    ["2024-01-04T05:30"],
    "2024-01-05T05:30",
    undefined,
  ],
  [
    "and what came before that day is not enough",
    { ...WORKDAYS, from: "06:30" },
    ["2024-01-04T05:29"],
    "2024-01-05T05:30",
    "late. It was expected by 2024-01-05 06:30 (Europe/Berlin). The last one was loaded on 2024-01-04 05:29 UTC.",
  ],
  ["it came too late, and is here", WORKDAYS, ["2024-01-05T09:00"], "2024-01-05T09:00", undefined],
  [
    "it came too late, and the next one is missing",
    WORKDAYS,
    ["2024-01-04T20:00"],
    "2024-01-05T06:00",
    "late. It was expected by 2024-01-05 06:30 (Europe/Berlin). The last one was loaded on 2024-01-04 20:00 UTC.",
  ],
  ["on Sunday none is expected", WORKDAYS, ["2024-01-05T04:00"], "2024-01-07T12:00", undefined],
  [
    "the second night, with a weekend between",
    WORKDAYS,
    ["2024-01-04T04:00"],
    "2024-01-08T06:00",
    "late. It was expected by 2024-01-08 06:30 (Europe/Berlin), as on 1 expected day before. The last one was loaded on 2024-01-04 04:00 UTC.",
  ],
  [
    "a holiday is no such night",
    { ...WORKDAYS, except: ["2024-01-05"] },
    ["2024-01-04T04:00"],
    "2024-01-08T06:00",
    "late. It was expected by 2024-01-08 06:30 (Europe/Berlin). The last one was loaded on 2024-01-04 04:00 UTC.",
  ],
  ["a holiday alone", { ...WORKDAYS, except: ["2024-01-05"] }, ["2024-01-04T04:00"], "2024-01-05T12:00", undefined],
  ["none is known", WORKDAYS, [], "2024-01-05T06:00", "late. It was expected by 2024-01-05 06:30 (Europe/Berlin). None is known."],
  [
    "clocks are set forward over the time",
    { by: "02:30", zone: "Europe/Berlin" },
    ["2024-03-30T00:30"],
    "2024-03-31T01:00",
    "late. It was expected by 2024-03-31 02:30 (Europe/Berlin). The last one was loaded on 2024-03-30 00:30 UTC.",
  ],
  ["a day that is later than that of UTC", { by: "01:00", zone: "+09:00" }, ["2024-01-04T15:30"], "2024-01-04T16:00", undefined],
])("%s", (_, expected, loaded, now, sentence) => {
  expect(lateness(expected, loaded.map(utc).at(-1), utc(now))?.sentence).toBe(sentence);
});

test.each<unknown>([
  ...[null, [], {}, { by: "6:30", zone: "UTC" }, { by: "24:00", zone: "UTC" }, { by: "06:30" }, { by: "06:30", zone: "Mars" }],
  ...[{ days: [] }, { days: ["monday"] }, { except: ["2024-02-30"] }, { except: "2024-02-03" }, { from: "" }, { untill: "07:00" }].map(
    (more) => ({
      by: "06:30",
      zone: "UTC",
      ...more,
    }),
  ),
])("%j is no such thing", (value) => {
  expect(readExpected(value)).toBeUndefined();
});
