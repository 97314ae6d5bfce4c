// All who check records agree on a hundred thousand generated dictionaries.

import { inject, test } from "vitest";
import { expectAgreement, expectNoException } from "../testing/rule-agreement.ts";

test.skipIf(inject("postgres"))("form, file, store and scan agree on 100,000", () => expectAgreement(100_000), 3_600_000);

test.skipIf(inject("postgres"))("no text of 200,000 is an exception", () => expectNoException(200_000), 3_600_000);
