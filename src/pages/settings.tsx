// Settings of this browser: how the app looks, its single keys, how numbers are written, and what this computer keeps.

import { Link } from "@tanstack/react-router";
import { type ReactNode, useSyncExternalStore } from "react";
import { formatDatetime, formatNumber } from "../ui/format.ts";
import { PageTitle } from "../ui/pieces.tsx";
import type { Settings } from "../ui/settings.ts";
import { useDeps } from "./deps.ts";
import { KeptHere } from "./kept-table.tsx";

export function SettingsPage() {
  const { settings } = useDeps();
  const { theme, density, singleKeys, locale } = useSyncExternalStore(settings.subscribe, settings.current);
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>Settings</PageTitle>
      </div>
      <div className="form settings">
        <Part title="Look">
          <Choice legend="Colours" name="theme" value={theme} choices={THEMES} onChange={(next) => settings.change({ theme: next })} />
          <Choice
            legend="Spacing"
            name="density"
            value={density}
            choices={DENSITIES}
            onChange={(next) => settings.change({ density: next })}
          />
        </Part>
        <Part title="Keyboard">
          <label className="choice">
            <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
            <span>
              Single-key shortcuts
              <span className="hint">Such as / to search and N for a new record. They never act while you type.</span>
            </span>
          </label>
        </Part>
        <Part title="Numbers and dates">
          <div className="field">
            <label htmlFor="locale">Written as in</label>
            <select
              id="locale"
              aria-describedby="locale-sample"
              value={locale}
              onChange={({ target }) => settings.change({ locale: target.value })}
            >
              <option value="">{`This browser: ${nameOf(navigator.language)}`}</option>
              {LOCALES.map((tag) => ({ tag, name: nameOf(tag) }))
                .sort((a, b) => a.name.localeCompare(b.name))
                .map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
            </select>
            <span className="hint" id="locale-sample">
              <bdi>{formatNumber(1_234_567.89)}</bdi> ·{" "}
              <bdi>{formatDatetime(new Date(new Date().getFullYear(), 10, 3, 17, 5).toISOString())}</bdi>
            </span>
          </div>
        </Part>
        <Part title="What this computer keeps">
          <KeptHere />
        </Part>
        <p className="small dim">
          These settings stay in this browser. <Link to="/about">About this app</Link>
        </p>
      </div>
    </main>
  );
}

const THEMES: Record<Settings["theme"], string> = { system: "As the system", light: "Light", dark: "Dark" };
const DENSITIES: Record<Settings["density"], string> = { comfortable: "Comfortable", compact: "Compact" };

// The ways of writing that staff ask for; the browser knows how each one is.
const LOCALES =
  "en-GB en-US en-CA en-IE en-AU de-DE de-AT de-CH fr-FR fr-CA es-ES es-MX it-IT nl-NL pt-PT pt-BR pl-PL cs-CZ da-DK sv-SE nb-NO fi-FI hu-HU el-GR tr-TR uk-UA he-IL ar-EG hi-IN ja-JP ko-KR zh-CN".split(
    " ",
  );

/** "German (Germany)". */
function nameOf(tag: string): string {
  return new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: T;
  choices: Record<T, string>;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ legend, name, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className="segments">
      <legend>{legend}</legend>
      {(Object.keys(choices) as T[]).map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {choices[one]}
        </label>
      ))}
    </fieldset>
  );
}
