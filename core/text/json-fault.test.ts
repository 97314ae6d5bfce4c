import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault, type JsonFault } from "./json-fault.ts";

function faultOf(text: string): JsonFault | undefined {
  for (const steps = findJsonFault(text); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

// The bar stands before the first wrong character.
test.each([
  ['{"a":1,|}', ""],
  ['{"a":1 |"b":2}', ""],
  ["[1,|]", "/1"],
  ["[1 |2]", ""],
  ["{|'a':1}", ""],
  ['{"a" |1}', "/a"],
  ['[\n  {"lastName": "Ek"},\n  {"lastName": |Ek}\n]', "/1/lastName"],
  ['[\r\n{"a":\r\n0|1}]', "/0"],
  ['{"é😀": [true, {"b/c~d": nul|}]}', "/é😀/1/b~1c~0d"],
  ['["😀", |x]', "/1"],
  ['"a|\tb"', ""],
  ['["\\|x"]', "/0"],
  ['["\\u12|G4"]', "/0"],
  ["[1.|]", "/0"],
  ["[-|]", "/0"],
  ["[1e+|]", "/0"],
  ["[1.5|.2]", ""],
  ["[|+1]", "/0"],
  ["[|NaN]", "/0"],
  ["[tru|E]", "/0"],
  ["{} |{}", ""],
  ['|\ufeff{"a":1}', ""],
  ["|", ""],
  ["  |", ""],
  ['{"a":[1,2|', "/a"],
  ['{"a":"b|', "/a"],
  ['{"a":"\\u00|', "/a"],
  ['{"a":1|', ""],
  ["[1,|", "/1"],
  ["[-|", "/0"],
  ["tr|", ""],
])("%j is wrong at the bar, in %j", (marked, pointer) => {
  expect(faultOf(marked.replace("|", ""))).toEqual({ at: marked.indexOf("|"), pointer });
});

test("whatever is JSON has no fault, and a character that no JSON has is found where it stands", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), fc.nat(), (value, indent, seed) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(faultOf(text)).toBeUndefined();
      const at = seed % (text.length + 1);
      expect(faultOf(`${text.slice(0, at)}\u0001${text.slice(at)}`)).toMatchObject({ at });
    }),
  );
});

test("what JSON.parse refuses has a fault, and nothing else", () => {
  const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "u", "0", "1", "-", ".", "e", "true", "null", '"a"', " ", "\n");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(faultOf(text) === undefined).toBe(isJson);
    }),
    { numRuns: 5_000 },
  );
});
