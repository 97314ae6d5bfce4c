// The built app on a static file host with the API on another origin, and what it says when it is set up wrongly.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { hold } from "./support/hold-requests.ts";
import { PORTS } from "./support/ports.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";
import { openStaticHost, publish, type StaticHost } from "./support/static-host.ts";

const API = `http://127.0.0.1:${PORTS.foreign}/v1`;
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-hosting-")); // not when the file is only read to list its tests
});
const hosts: StaticHost[] = [];

async function host(port: number, base: string, ...options: string[]): Promise<string> {
  const out = join(folder, String(port));
  publish(out, "--base", base, ...options);
  const opened = await openStaticHost(join(out, "root"), base, port);
  hosts.push(opened);
  return opened.origin + base;
}

test.afterEach(async () => {
  for (const opened of hosts.splice(0)) await opened.close();
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Collects failed requests, 4xx and 5xx responses, policy violations and errors. A request that the page itself gave up is none. */
async function watch(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // The preview of an upload ends when the upload begins.
    if (reason !== "net::ERR_ABORTED") faults.push(`${request.url()} ${reason}`);
  });
  page.on("response", (response) => response.status() >= 400 && faults.push(`${response.url()} ${response.status()}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return faults;
}

for (const [base, first] of [
  ["/", 5_100_001],
  ["/x/admin/", 5_200_001],
] as const) {
  test(`the app runs at ${base} with the API on another origin, without an error in the browser`, async ({ page }) => {
    const app = await host(PORTS.host, base, "--api", API, "--title", "Acme records");
    const faults = await watch(page);
    const api = await openApi(PORTS.foreign);
    await api.call("PUT", `/customers/${first}`, { firstName: "Deep", lastName: "Link", accountID: "D" });

    await signIn(page, `${app}customers/${first}`);
    await expect(page.getByRole("heading", { name: "Deep Link" })).toBeVisible();
    await expect(page).toHaveTitle("Deep Link · Acme records");
    await page.getByRole("textbox", { name: "Account ID" }).fill("D-2");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
    await expect(page).toHaveURL(`${app}customers`);
    await page.getByRole("searchbox", { name: "Search" }).fill("deep link");
    await expect(page).toHaveURL(`${app}customers?q=deep+link`);
    await page.getByRole("link", { name: "Data dictionary" }).click();
    await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();

    await signIn(page, `${app}customers/upload`);
    await check(page, "elsewhere.csv", `objectId,firstName,lastName,accountID\n${first + 1},Up,Loaded,U\n${first + 2},Up,Loaded,U`);
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
    expect(await reported(page, "Created")).toBe(2);
    expect((await api.call("GET", `/customers/${first}`)).json).toMatchObject({ accountID: "D-2" });

    await signIn(page, app);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Good");
    await expect(page).toHaveURL(app);
    expect(faults).toEqual([]);
  });
}

test("a missing or wrong config.json is named with its address and its mistake, and trying again goes on", async ({ page }) => {
  const address = `http://127.0.0.1:${PORTS.main}/config.json`;
  const answers = [
    [{ status: 404, body: "" }, "is missing"],
    [{ status: 200, body: "{apiBaseUrl" }, "is not JSON"],
    [{ status: 200, body: "<!doctype html><title>Home</title>" }, "is a web page, not JSON"],
    [{ status: 200, body: "[]" }, "is not a JSON object"],
    [{ status: 200, body: "{}" }, 'has no "apiBaseUrl"'],
    [{ status: 200, body: '{"apiBaseUrl": 8080}' }, "config.json must be text"],
    [{ status: 200, body: '{"apiBaseUrl": "ftp://example.org/v1"}' }, "must be the address of a service"],
    [{ status: 200, body: '{"apiBaseUrl": "/v1", "title": 7}' }, '"title" in '],
  ] as const;
  for (const [answer, words] of answers) {
    await page.route("**/config.json", (route) => route.fulfill(answer));
    await page.goto("/customers/7");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("The app is not set up yet");
    await expect(alert).toContainText(address);
    await expect(alert).toContainText(words);
    await page.unroute("**/config.json");
  }
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("a page on a slow network says that it is loading", async ({ page }) => {
  const held = await hold(page, "**/config.json", () => true);
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByText("Loading…")).toBeVisible();
  held.letGo();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("Loading…")).toHaveCount(0);
});

test("a page whose API does not answer names its address and the possible reasons", async ({ page }) => {
  const nowhere = `http://127.0.0.1:${PORTS.nobody}/v1`;
  const app = await host(PORTS.otherHost, "/", "--api", nowhere);
  await page.goto(app);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The service cannot be reached");
  for (const words of [nowhere, "config.json", "/livez", `CORS_ORIGINS=${app.slice(0, -1)}`, "connect-src"])
    await expect(alert).toContainText(words);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toContainText(nowhere);
});

test("a service that does not allow this origin is told apart from one that does not answer", async ({ page }) => {
  const app = await host(PORTS.otherHost, "/", "--api", `http://127.0.0.1:${PORTS.main}/v1`);
  await page.goto(app);
  await expect(page.getByRole("alert")).toContainText("The service does not allow this page");
  await expect(page.getByRole("alert")).toContainText(`CORS_ORIGINS=${app.slice(0, -1)}`);
  await expect(page.getByRole("alert")).not.toContainText("connect-src");
});

test("an address where another server answers is named, also for a user who is signed in", async ({ page }) => {
  const app = await host(PORTS.otherHost, "/", "--api", "/wrong");
  const isStated = async (words: string) => {
    await expect(page.getByRole("alert")).toContainText("There is no Intake service at this address");
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByRole("alert")).toContainText(`${app}wrong`);
  };
  await page.goto(app);
  await isStated("(404)"); // the host has no such file
  await page.evaluate(() => sessionStorage.setItem("intake.token", "kept"));
  await page.reload();
  await isStated("not the service"); // the host has a page for every address
});

test("an app that starts offline says so and goes on by itself", async ({ page, context }) => {
  await page.route("**/v1/openapi.json", async (route) => {
    await context.setOffline(true);
    await route.abort();
  });
  await page.goto("/");
  await expect(page.getByRole("alert")).toContainText("This computer is offline");
  await page.unroute("**/v1/openapi.json");
  await context.setOffline(false);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("the publish command says what is wrong with an option and writes nothing", () => {
  const out = join(folder, "refused");
  for (const [option, words] of [
    [["--base", "a b"], '--base must be a path such as /x/admin/, not "a b"'],
    [["--api", "ftp://example.org"], "--api must be an address"],
    [["--api", "https://example.org/v1?a=b"], "--api must be an address"],
    [["--base", "/../../elsewhere/"], '--base must be a path such as /x/admin/, not "/../../elsewhere/"'],
    [["--base", "/x/./"], '--base must be a path such as /x/admin/, not "/x/./"'],
    [["--bse", "/x/"], "There is no option --bse."],
  ] as const)
    expect(() => publish(out, ...option)).toThrow(words);
  expect(existsSync(out)).toBe(false);
});

test("the publish command says why it cannot write where it should, and ends", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => publish(file)).toThrow(`The app was not written to ${file}: ENOTDIR`);
  if (process.platform === "linux") expect(() => publish("/proc/published")).toThrow("The app was not written to /proc/published: ENOENT");
});
