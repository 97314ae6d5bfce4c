// Dates of older systems, with centuries, two-digit years, fractions of seconds and time zones.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DateFormat, readFormat } from "./dates.ts";
import { type Disambiguation, isZone, openZone } from "./time-zones.ts";

function formatOf(format: string, pivot?: number): DateFormat {
  const read = readFormat(format, pivot);
  if ("wrong" in read) throw new Error(read.wrong);
  return read;
}

function isoOf(
  format: string,
  text: string,
  { pivot, zone, disambiguation }: { pivot?: number; zone?: string; disambiguation?: Disambiguation } = {},
) {
  const read = formatOf(format, pivot).toIso(text, zone === undefined ? undefined : openZone(zone, disambiguation));
  return read && ("iso" in read ? read.iso : read.wrong);
}

test.each([
  ["CYYMMDD", "1260131", {}, "2026-01-31"],
  ["CYYMMDD", "0991231", {}, "1999-12-31"],
  ["CYYDDD", "126031", {}, "2026-01-31"],
  ["YYMMDD", "491231", { pivot: 50 }, "2049-12-31"],
  ["YYMMDD", "500101", { pivot: 50 }, "1950-01-01"],
  ["YYMMDD", "000101", { pivot: 0 }, "1900-01-01"],
  ["YYDDD", "24366", { pivot: 40 }, "2024-12-31"],
  ["YYDDD", "23366", { pivot: 40 }, undefined],
  ["YYYY-MM-DD-hh.mm.ss.ffffff", "2026-01-31-08.30.00.123456", { zone: "Z" }, "2026-01-31T08:30:00.123456Z"],
  ["YYYYMMDDhhmmssff", "2026013108300012", { zone: "+01:00" }, "2026-01-31T08:30:00.12+01:00"],
  ["YYYYMMDDhhmmss", "20260131083000", { zone: "Europe/Berlin" }, "2026-01-31T07:30:00Z"],
  ["YYYYMMDDhhmmss", "20260731083000", { zone: "Europe/Berlin" }, "2026-07-31T06:30:00Z"],
  ["YYYYMMDDhhmmssfff", "20260731083000250", { zone: "America/New_York" }, "2026-07-31T12:30:00.250Z"],
  ["YYYYMMDDhhmmss", "20261301083000", { zone: "Europe/Berlin" }, "2026-13-01T08:30:00Z"], // the dictionary refuses it
  ["YYYYMMDDhhmmss", "20260230100000", { zone: "Europe/Berlin" }, "2026-02-30T10:00:00Z"],
  ["YYYYMMDDhhmmss", "20260131240000", { zone: "Europe/Berlin" }, "2026-01-31T24:00:00Z"],
  ["YYYYMMDDhhmmss", "18800101000000", { zone: "Europe/Berlin" }, "1879-12-31T23:06:32Z"], // Berlin's local mean time
  ["hhmmss", "140530", {}, "14:05:30"],
  ["hhmm", "1405", {}, "14:05:00"],
  ["hh.mm.ss", "14.05.30", {}, "14:05:30"],
  ["hhmmssff", "14053000", {}, "14:05:30.00"], // ACCEPT … FROM TIME
  ["hhmm", "2460", {}, "24:60:00"], // the dictionary refuses it
  ["YYYY", "1985", {}, "1985"],
  ["YY", "85", { pivot: 50 }, "1985"],
  ["YY", "24", { pivot: 50 }, "2024"],
  ["CYY", "126", {}, "2026"],
  ["YYYYMMDDhhmm", "202601310830", { zone: "UTC" }, "2026-01-31T08:30:00Z"],
] as const)("%s %s with %j is %s", (format, text, options, iso) => {
  expect(isoOf(format, text, options)).toBe(iso);
});

describe("a local time that comes twice or never", () => {
  const zone = "Europe/Berlin";
  test.each([
    ["twice", "20261025023000", "earlier", "2026-10-25T00:30:00Z"],
    ["twice", "20261025023000", "later", "2026-10-25T01:30:00Z"],
    ["never", "20260329023000", "earlier", "2026-03-29T00:30:00Z"],
    ["never", "20260329023000", "later", "2026-03-29T01:30:00Z"],
  ] as const)("%s: %s, the %s instant", (_how, text, disambiguation, iso) => {
    expect(isoOf("YYYYMMDDhhmmss", text, { zone, disambiguation })).toBe(iso);
  });

  test("is refused with its reason when the layout does not choose", () => {
    expect(isoOf("YYYYMMDDhhmmss", "20261025023000", { zone })).toBe(
      'which Europe/Berlin has twice, because clocks are set back over it: say "disambiguation": "earlier" or "later" in the layout',
    );
    expect(isoOf("YYYYMMDDhhmmss", "20260329023000", { zone })).toContain("has never, because clocks are set forward over it");
    expect(isoOf("YYYYMMDDhhmmss", "20261025013000", { zone })).toBe("2026-10-24T23:30:00Z");
    expect(isoOf("YYYYMMDDhhmmss", "20261025030000", { zone })).toBe("2026-10-25T02:00:00Z");
  });
});

test("a year without a place in the format is not written", () => {
  expect(formatOf("YYMMDD", 50).fromIso("1949-12-31")).toBeUndefined();
  expect(formatOf("YYMMDD", 50).fromIso("2049-12-31")).toBe("491231");
  expect(formatOf("CYYMMDD").fromIso("1899-12-31")).toBeUndefined();
  expect(formatOf("CYYMMDD").fromIso("2026-01-31")).toBe("1260131");
  expect(formatOf("YYYYMMDD").fromIso("soon")).toBeUndefined();
  expect(formatOf("YY", 50).fromIso("2024")).toBe("24");
  expect(formatOf("YY", 50).fromIso("1949")).toBeUndefined();
  expect(formatOf("CYY").fromIso("2026")).toBe("126");
});

test("any time of day and any year come back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 0, max: 9999 }), (second, number) => {
      const time = new Date(second * 1000).toISOString().slice(11, 19);
      for (const format of ["hhmmss", "hh:mm:ss", "ssmmhh"].map((each) => formatOf(each)))
        expect(format.toIso(format.fromIso(time) ?? "")).toEqual({ iso: time });
      expect(formatOf("hhmmssff").fromIso(time)).toBe(`${time.replaceAll(":", "")}00`);
      const year = String(number).padStart(4, "0");
      expect(formatOf("YYYY").toIso(formatOf("YYYY").fromIso(year) ?? "")).toEqual({ iso: year });
    }),
  );
});

test("any instant comes back from any zone, where a clock shows it once", () => {
  const zones = ["Z", "+05:30", "-08:00", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"];
  const instant = fc.date({ min: new Date("1971-01-01"), max: new Date("2049-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), fc.constantFrom<Disambiguation>("reject", "earlier", "later"), (date, name, choice) => {
      const format = formatOf("YYMMDDhhmmssfff", 50);
      const zone = openZone(name, choice);
      const read = format.toIso(format.fromIso(date.toISOString(), zone) ?? "", zone);
      if (read && "iso" in read) {
        const apart = Math.abs(Date.parse(read.iso) - date.getTime());
        expect(choice === "reject" ? apart : apart % 1_800_000).toBe(0); // of two instants the other one, at most
      } else expect([choice, read]).toEqual(["reject", { wrong: expect.stringContaining("twice") }]);
    }),
    { numRuns: 300 },
  );
});

test("zones are known by the names of the IANA database", () => {
  expect(["Z", "UTC", "+01:00", "Europe/Berlin", "Europe/Berlim", "Mars/Base"].map(isZone)).toEqual([true, true, true, true, false, false]);
});
