import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { inspectFile } from "../../../pipeline/inspection/inspect-file.ts";
import { recipesQuery } from "../../api/administration/recipes.ts";
import { openPage, openTestApp } from "../../testing/test-app.tsx";

test("the columns come with all that stands above the button, so that it stays where it is pressed", async () => {
  const app = await openTestApp();
  onTestFinished(app.close);
  const content = { form: 1, mode: "create", choices: {}, columns: [], autoFixes: [], leftOutGroups: [], values: [] };
  await app.service.call("POST", "/v1/recipes", { name: "Monthly", collection: "customers", headings: [], content });
  const { worker, services, queries } = await openPage(app, "/customers/upload");
  const button = (name: string) => screen.queryByRole("button", { name });
  /** What stood above the button, at each change of the page. */
  const above: string[] = [];
  const watching = new MutationObserver(() => {
    if (button("Check")) above.push(`${Boolean(screen.queryByRole("combobox", { name: "Recipe" }))} ${Boolean(button("Change columns"))}`);
  });
  watching.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => watching.disconnect());
  const file = new File(["Surname,Account\nEk,7\n"], "names.csv");
  services.uploadManager.inspect(file, app.collection);
  await waitFor(() => expect(queries.getQueryData(recipesQuery(services.client, app.collection).queryKey)).toHaveLength(1));
  worker.post({ type: "state", state: { step: "columns", inspection: await inspectFile(file, app.collection) } });
  await screen.findByRole("button", { name: "Change columns" });
  expect(new Set(above)).toEqual(new Set(["true true"]));
});
