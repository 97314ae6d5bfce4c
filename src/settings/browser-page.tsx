// Settings of this browser: language, look, keyboard, number formats, and stored data.

import { type ReactNode, useSyncExternalStore } from "react";
import { usualLocale } from "../../core/i18n/languages.ts";
import { currentCatalogue, message, t } from "../../core/i18n/translate.ts";
import { LANGUAGE_CHOICES, THEMES } from "../app/services/look-choices.tsx";
import { useServices } from "../app/services/services.ts";
import type { Settings } from "../browser/settings.ts";
import * as formStyles from "../ui/form.module.css";
import * as pageStyles from "../ui/page.module.css";
import { PageTitle } from "../ui/primitives.tsx";
import * as textStyles from "../ui/text.module.css";
import { formatDatetime, formatNumber } from "../values/format.ts";
import * as styles from "./settings.module.css";
import { StoredDataTable } from "./stored-data-table.tsx";

export function BrowserPage() {
  const { settings, changeLanguage } = useServices();
  const { language, theme, density, singleKeys, locale } = useSyncExternalStore(settings.subscribe, settings.current);
  const usual = usualLocale(language, navigator.language);
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("This browser")}</PageTitle>
      </div>
      <div className={`${formStyles.form} ${styles.settings}`}>
        <Part title={t("Language")}>
          <Choice legend={t("Language of the app")} name="language" value={language} choices={LANGUAGE_CHOICES} onChange={changeLanguage} />
        </Part>
        <Part title={t("Appearance")}>
          <Choice legend={t("Colours")} name="theme" value={theme} choices={THEMES} onChange={(next) => settings.change({ theme: next })} />
          <Choice
            legend={t("Spacing")}
            name="density"
            value={density}
            choices={DENSITIES}
            onChange={(next) => settings.change({ density: next })}
          />
        </Part>
        <Part title={t("Keyboard")}>
          <label className={formStyles.choice}>
            <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
            <span>
              {t("Single-key shortcuts")}
              <span className={textStyles.hint}>{t("Such as / to search and N for a new record. They never act while you type.")}</span>
            </span>
          </label>
        </Part>
        <Part title={t("Numbers and dates")}>
          <div className={formStyles.field}>
            <label htmlFor="locale">{t("Regional format")}</label>
            <select
              id="locale"
              aria-describedby="locale-sample"
              value={locale}
              onChange={({ target }) => settings.change({ locale: target.value })}
            >
              <option value="">
                {usual === ""
                  ? t("This browser: {language}", { language: nameOf(navigator.language) })
                  : t("As the app: {language}", { language: nameOf(usual) })}
              </option>
              {LOCALES.map((tag) => ({ tag, name: nameOf(tag) }))
                .sort((a, b) => a.name.localeCompare(b.name))
                .map(({ tag, name }) => (
                  <option key={tag} value={tag}>
                    {name}
                  </option>
                ))}
            </select>
            <span className={textStyles.hint} id="locale-sample">
              <bdi>{formatNumber(1_234_567.89)}</bdi> ·{" "}
              <bdi>{formatDatetime(new Date(new Date().getFullYear(), 10, 3, 17, 5).toISOString())}</bdi>
            </span>
          </div>
        </Part>
        <Part title={t("Data on this computer")}>
          <StoredDataTable />
        </Part>
        <p className={textStyles.note}>{t("These settings stay in this browser.")}</p>
      </div>
    </>
  );
}

const DENSITIES: Record<Settings["density"], string> = { comfortable: message("Comfortable"), compact: message("Compact") };

// This is a selection; the browser knows how each one writes.
const LOCALES =
  "en-GB en-US en-CA en-IE en-AU de-DE de-AT de-CH fr-FR fr-CA es-ES es-MX it-IT nl-NL pt-PT pt-BR pl-PL cs-CZ da-DK sv-SE nb-NO fi-FI hu-HU el-GR tr-TR uk-UA he-IL ar-EG hi-IN ja-JP ko-KR zh-CN".split(
    " ",
  );

/** Returns "German (Germany)". */
function nameOf(tag: string): string {
  return new Intl.DisplayNames(currentCatalogue().language, { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: string;
  choices: Record<T, string>;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ legend, name, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className={styles.segments}>
      <legend>{legend}</legend>
      {(Object.keys(choices) as T[]).map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {t(choices[one])}
        </label>
      ))}
    </fieldset>
  );
}
