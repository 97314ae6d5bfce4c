// Files of older systems through check and sending, with a service of the tests.

import { expect, test } from "vitest";
import { openLayout } from "../../layouts/formats/open-layout.ts";
import { customers, customersLayout, ENCODINGS_AND_LINE_ENDS, fileOf, recordsOf, THREE_CUSTOMERS } from "../../layouts/testing/layouts.ts";
import type { UploadJob } from "../../pipeline/runs/run-upload.ts";
import { counted, createService, upload } from "../../pipeline/testing/fake-service.ts";

async function load(records: readonly Uint8Array[], layout = customersLayout()) {
  const service = createService();
  const file = fileOf(...records);
  const { plan, openRows } = await openLayout(file, layout, customers);
  const job: Partial<UploadJob> = { plan: { ...plan, mode: "create" }, openRows };
  return { service, file: new File([file], "customers.dat"), job };
}

test.each(ENCODINGS_AND_LINE_ENDS)("%s, %s: the records of the file are stored", async (encoding, lineEnd) => {
  const layout = customersLayout({ encoding, lineEnd });
  const { service, file, job } = await load(recordsOf(layout), layout);
  const { report } = await upload(file, service, job);
  expect(counted(report)).toEqual({ created: 3 });
  expect([...service.records.values()]).toEqual(
    THREE_CUSTOMERS.map(({ objectId, firstName, ...rest }) => ({ objectId: Number(objectId), ...(firstName && { firstName }), ...rest })),
  );
});

test("a malformed record is reported with its number in the file, and the others are stored", async () => {
  const records = recordsOf(customersLayout());
  records[2]?.set([0xff], 40);
  const { service, file, job } = await load(records);
  const { report } = await upload(file, service, job);
  expect(counted(report)).toEqual({ created: 2, notSent: 1 });
  expect(report.notStored).toMatchObject([{ row: 2, line: 3, reason: expect.stringMatching(/^Record 3 \(byte offset 130\): Last name/) }]);
});

test("the check groups wrong records under a name of their own", async () => {
  const records = recordsOf(customersLayout());
  for (const record of records.slice(1, 3)) record.set([0xff], 40);
  const { service, file, job } = await load(records);
  const { states } = await upload(file, service, job);
  const checked = states.find((state) => state.step === "checked");
  expect(checked?.check.groups).toMatchObject([{ code: "RECORD", message: "The record cannot be read.", count: 2 }]);
});

test("a file whose trailer does not match stores nothing", async () => {
  const records = recordsOf(customersLayout());
  const { service, file, job } = await load([...records.slice(0, 2), ...records.slice(3)]);
  await expect(upload(file, service, job)).rejects.toThrow("ended with refused");
  expect(service.calls).toEqual([]);
});
