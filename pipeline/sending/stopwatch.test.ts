import { describe, expect, test } from "vitest";
import type { Clock } from "../model/clock.ts";
import { counted, createClock, createService, customersFile, jobFor, upload } from "../testing/fake-service.ts";
import { dyingTab, runUntil } from "../testing/fake-tab.ts";
import { memoryLog } from "./journal.ts";
import { Pauses } from "./pauses.ts";

describe("the time of an upload", () => {
  const slow = (clock: Clock) => createService({ clock, takes: 10_000 });
  const file = customersFile(20_000);

  test("is the sum of its runs, without the time between them", async () => {
    const clock = createClock();
    const log = memoryLog();
    const whole = await upload(file, slow(clock), { clock });
    const service = slow(clock);
    const { died, ...dying } = dyingTab(service, log, 9, true);
    await runUntil(died, { ...jobFor(file, service), ...dying, clock });
    await clock.sleep(3_600_000, new AbortController().signal);
    const { report, states } = await upload(file, service, { log, clock });
    expect(counted(report)).toEqual({ created: 20_000 });
    expect(report.hasPaused).toBe(true);
    expect(report.seconds).toBeGreaterThanOrEqual(whole.report.seconds);
    expect(report.seconds).toBeLessThan(whole.report.seconds + 60);
    const speeds = states.flatMap((state) => (state.step === "sending" ? state.rowsPerSecond : []));
    expect(Math.max(...speeds)).toBeLessThanOrEqual(1000); // twice five batches in 10 s, and none of the earlier run
  });

  test("does not include pauses or the wait for someone to sign in", async () => {
    const clock = createClock();
    const pauses = new Pauses();
    const never = new AbortController().signal;
    const whole = await upload(file, slow(clock), { clock });
    let isExpired = false;
    const service = createService({
      clock,
      takes: 10_000,
      fault: (call) => {
        if (call === 4) {
          pauses.put("paused");
          void clock.sleep(3_600_000, never).then(() => pauses.lift("paused"));
        }
        if (call === 12) isExpired = true;
        return isExpired ? 401 : undefined;
      },
    });
    const signIn = async (): Promise<void> => {
      await clock.sleep(1_800_000, never);
      isExpired = false;
    };
    const { report, states } = await upload(file, service, { pauses, clock, signIn });
    expect(counted(report)).toEqual({ created: 20_000 });
    expect(report).toMatchObject({ hasPaused: true });
    expect(report.seconds).toBeLessThan(whole.report.seconds + 60);
    const left = states.flatMap((state) => (state.step === "sending" ? (state.secondsLeft ?? []) : []));
    expect(Math.max(...left)).toBeLessThan(200); // the pause makes it no slower
  });
});
