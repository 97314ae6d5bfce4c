// The memory of a tab before, during the check and during the upload of a file.

import { type BareTab, openBareTab } from "../floors/bare-chromium.ts";
import { startService } from "../support/service.ts";

const SAMPLE_EVERY = 100; // ms
const QUIET_MS = 2_000; // ms after the page is drawn

export interface MemoryFigures {
  rows: number;
  /** MB, VmRSS of the tab's process, garbage included. */
  idle: number;
  checking: number;
  /** The least and the most after the first tenth of the rows. Only with an upload. */
  sending?: { least: number; most: number };
}

export async function measureMemory(path: string, rows: number, isUploaded: boolean): Promise<MemoryFigures> {
  const service = await startService();
  const tab = await openBareTab();
  try {
    const token = await service.signIn();
    await tab.goTo(service.origin);
    await tab.until("document.querySelector('main, form')");
    await tab.evaluate(`sessionStorage.setItem("intake.token", ${JSON.stringify(token)})`);
    await tab.goTo(`${service.origin}/customers/upload`);
    await tab.until("document.querySelector('input[type=file]')");
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const idle = tab.megabytes();
    const checking = watch(tab);
    await tab.chooseFile("input[type=file]", path);
    await press(tab, "Check");
    await tab.until(hasButton("Upload"));
    const figures: MemoryFigures = { rows, idle, checking: Math.max(...checking()) };
    if (!isUploaded) return figures;
    const sending = watch(tab);
    await press(tab, "Upload");
    await tab.until("[...document.querySelectorAll('h1')].some(({ textContent }) => textContent === 'Report')");
    const samples = sending();
    const later = samples.slice(Math.floor(samples.length / 10));
    return { ...figures, sending: { least: Math.min(...later), most: Math.max(...later) } };
  } finally {
    await tab.close();
    await service.stop();
  }
}

/** Samples the memory until the returned function is called, which returns the samples. */
function watch(tab: BareTab): () => number[] {
  const samples = [tab.megabytes()];
  const timer = setInterval(() => samples.push(tab.megabytes()), SAMPLE_EVERY);
  return () => {
    clearInterval(timer);
    return samples;
  };
}

async function press(tab: BareTab, name: string): Promise<void> {
  await tab.until(`${hasButton(name)} && (${button(name)}.click(), true)`);
}

/** The button can be pressed; one with aria-disabled only says why it waits. */
function hasButton(name: string): string {
  return `${button(name)} && !${button(name)}.disabled && ${button(name)}.ariaDisabled !== "true"`;
}

/** A JavaScript expression for the button whose text begins with `name`, such as "Upload 100,000 rows". */
function button(name: string): string {
  return `[...document.querySelectorAll("main button")].find(({ textContent }) => textContent.trim().startsWith("${name}"))`;
}
