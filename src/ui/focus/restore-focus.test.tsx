import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { useKeptFocus } from "./kept-focus.ts";
import { useFocusFallback, useRestoreFocus } from "./restore-focus.ts";

const heading = () => screen.getByRole("heading", { level: 1 });
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("when the service's answer removes the button that was pressed, the heading has the focus", async () => {
  function Page() {
    useKeptFocus();
    const [isThere, setThere] = useState(true);
    return (
      <main id="main">
        <h1 tabIndex={-1}>Rows</h1>
        {isThere && (
          <button type="button" onClick={() => setTimeout(() => setThere(false))}>
            Remove
          </button>
        )}
      </main>
    );
  }
  render(<Page />);
  await press("Remove");
  await waitFor(() => expect(document.activeElement).toBe(heading()));
});

test("when what opened a dialog is gone, the heading has the focus after it", async () => {
  function Dialog({ onClose }: { onClose: () => void }) {
    useRestoreFocus();
    return (
      // biome-ignore lint/a11y/noAutofocus: a dialog takes the focus
      <button type="button" autoFocus onClick={onClose}>
        Confirm
      </button>
    );
  }
  function Page() {
    const [step, setStep] = useState<"before" | "asking" | "after">("before");
    return (
      <>
        <h1 tabIndex={-1}>Rows</h1>
        {step === "before" && (
          <button type="button" onClick={() => setStep("asking")}>
            Remove
          </button>
        )}
        {step === "asking" && <Dialog onClose={() => setStep("after")} />}
      </>
    );
  }
  render(<Page />);
  await press("Remove");
  await press("Confirm");
  await waitFor(() => expect(document.activeElement).toBe(heading()));
});

test("what is removed with its page leaves the focus to the heading of the next page, whose list is called the same", async () => {
  function Entry({ onPress }: { onPress: () => void }) {
    useFocusFallback("#entries");
    return (
      <button type="button" onClick={onPress}>
        Press
      </button>
    );
  }
  function Page() {
    const [record, setRecord] = useState(1);
    const [entry, setEntry] = useState(1);
    return (
      <main key={record}>
        <h1 tabIndex={-1}>Record {record}</h1>
        <ol id="entries" tabIndex={-1}>
          <Entry key={entry} onPress={() => (entry === 1 ? setEntry(2) : setRecord(2))} />
        </ol>
      </main>
    );
  }
  render(<Page />);
  await press("Press");
  expect(document.activeElement?.id).toBe("entries"); // the entry was drawn anew on the same page
  await press("Press");
  expect(heading().textContent).toBe("Record 2");
  expect(document.activeElement).toBe(heading());
});
