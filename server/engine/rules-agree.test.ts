// All who check records agree on generated dictionaries, and no expression is an exception.

import { test } from "vitest";
import { expectAgreement, expectNoException } from "../testing/rule-agreement.ts";

test("form, file, store and scan agree on a new record and on a change", () => expectAgreement(500), 120_000);

test("no text is an exception: it is an expression or has a place where it is wrong", () => expectNoException(1_000), 120_000);
