// Names at the end of a run what was skipped for want of a program, so that nobody takes it for tested.

import type { Reporter, TestModule } from "vitest/node";

/** A test says what it lacks by `skip(!HAS_IT, "nginx is not installed")`. */
export const nameSkipped: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].flatMap((test) => {
        const result = test.result();
        return result.state === "skipped" && result.note ? [`${result.note}: ${test.fullName} (${module.relativeModuleId})`] : [];
      }),
    );
    if (names.length > 0) console.log(`Skipped:\n${names.map((name) => `  ${name}`).join("\n")}`);
  },
};
