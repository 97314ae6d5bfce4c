// The client in Python, run by the python3 of the machine against a real service.

import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../server/testing/service.ts";

const run = promisify(execFile);

/** Debian and the images of CI have it; a machine without it has nobody who would use the client. */
function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // there is none, or an old one
  }
}
const isThere = hasPython();

const PROGRAM = `
import json, os, sys
sys.path.insert(0, "client/python")
sys.dont_write_bytecode = True
from intake import ApiError, Client, UploadStopped

client = Client(os.environ["BASE"], os.environ["KEY"], source="batch; run=nightly")
customers = client.collection("customers")
report = {}

def refused(call):
    try:
        return call()
    except ApiError as error:
        return [error.status, error.code, [problem.get("pointer") for problem in error.problems]]

cursor = client.current_cursor()
ada = customers.create({"lastName": "Lovelace", "accountID": "0071"})
king = customers.update(ada["objectId"], {"lastName": "König"}, version=ada["version"])
report["update"] = [king["lastName"], king["version"]]
report["stale"] = refused(lambda: customers.update(ada["objectId"], {"lastName": "Lost"}, version=ada["version"]))
report["invalid"] = refused(lambda: customers.create({"lastName": "Nobody"}))
report["read"] = customers.read(ada["objectId"])["lastName"]

people = ({"lastName": f"Person {i:04}", "accountID": f"p{i}"} for i in range(2500))
report["upload"] = [sum(1 for result in customers.upload(people, key="nightly") if result["outcome"] == "created")]
again = ({"lastName": f"Person {i:04}", "accountID": f"p{i}"} for i in range(2500))
results = list(customers.upload(again, key="nightly"))
report["upload"] += [len(results), results[-1]["index"], results[-1]["outcome"]]
report["failed"] = [[result["index"], result["outcome"]] for result in customers.upload([{"lastName": "A", "accountID": "x"}, {"lastName": "B"}])]
try:
    list(customers.upload([{"lastName": "C"}], onConflict="nonsense"))
except UploadStopped as stopped:
    report["stopped"] = stopped.start
report["all"] = len(list(customers.all({"lastName[prefix]": "Person"})))
report["summary"] = client.collection("customers").summary({"measure": "count"})["total"]["count"]
report["found"] = len(client.search("König")["results"])
changes = []
for change in client.changes(cursor, collections=["customers"], include=["record"]):
    changes.append([change["objectId"], change["operation"]])
    if len(changes) == 2:
        break
report["changes"] = changes
sent = customers.import_file(b"lastName,accountID\\nImported,i1\\nImported,\\n", "monday.csv", key="monday")
again = customers.import_file(b"lastName,accountID\\nImported,i1\\nImported,\\n", "monday.csv", key="monday")
done = client.until_imported(sent["id"], every=0.2)
report["import"] = [again["id"] == sent["id"], done["state"], done["counts"]["created"], done["counts"]["notSent"], client.cancel_import(sent["id"])["state"]]
customers.delete(ada["objectId"], version=king["version"])
report["gone"] = refused(lambda: customers.read(ada["objectId"]))
report["dictionary"] = client.dictionary()["resources"][0]["name"]
print(json.dumps(report))
`;

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  await service.startImports();
});
afterAll(() => service.close());

async function python(program: string, more: Record<string, string> = {}) {
  const { port } = service.app.server.address() as { port: number };
  const { key } = (await service.call("POST", "/v1/keys", { name: "Python", scope: "write" })).json;
  const env = { ...process.env, BASE: `http://127.0.0.1:${port}/v1`, KEY: key, ...more };
  return JSON.parse((await run("python3", ["-c", program], { env })).stdout);
}

test.runIf(isThere)("it reads, writes, uploads and follows as the client in TypeScript does", async () => {
  const report = await python(PROGRAM);
  const id = report.changes[0][0];
  expect(report).toEqual({
    update: ["König", 2],
    import: [true, "done", 1, 1, "done"],
    stale: [412, "PRECONDITION_FAILED", []],
    invalid: [422, "VALIDATION", ["/accountID"]],
    read: "König",
    upload: [2500, 2500, 2499, "created"],
    failed: [
      [0, "created"],
      [1, "failed"],
    ],
    stopped: 0,
    all: 2500,
    summary: 2502,
    found: 1,
    changes: [
      [id, "created"],
      [id, "updated"],
    ],
    gone: [404, "NOT_FOUND", []],
    dictionary: "customers",
  });
});

test.runIf(isThere)("a service that is not there is asked again, and then named", async () => {
  const program = `
import json, sys
sys.path.insert(0, "client/python")
sys.dont_write_bytecode = True
from intake import Client, NoReply
try:
    Client("http://127.0.0.1:9/v1", "ink_x", patience=0.5).dictionary()
except NoReply as error:
    print(json.dumps([str(error).startswith("The service did not answer")]))
`;
  expect(await python(program)).toEqual([true]);
});
