import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { useKeptFocus } from "./kept-focus.ts";
import { useRestoreFocus } from "./restore-focus.ts";

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
