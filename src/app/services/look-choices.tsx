// The language and the colours of the app, where Settings is too far: on the sign-in page and in the menu of the person.

import { useSyncExternalStore } from "react";
import { LANGUAGE_TAGS, LANGUAGES } from "../../../core/i18n/languages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import type { Settings } from "../../browser/settings.ts";
import { useServices } from "./services.ts";

/** The languages by their own names, and that of the system. */
export const LANGUAGE_CHOICES = Object.fromEntries([
  ["system", message("As the system")],
  ...LANGUAGE_TAGS.flatMap((tag) => (LANGUAGES[tag].name ? [[tag, LANGUAGES[tag].name]] : [])),
]) as Record<Settings["language"], string>;

export const THEMES: Record<Settings["theme"], string> = {
  system: message("As the system"),
  light: message("Light"),
  dark: message("Dark"),
};

export function LanguageChoice() {
  const { settings, changeLanguage } = useServices();
  const { language } = useSyncExternalStore(settings.subscribe, settings.current);
  return <Choice id="choose-language" label={t("Language")} value={language} choices={LANGUAGE_CHOICES} onChange={changeLanguage} />;
}

export function ThemeChoice() {
  const { settings } = useServices();
  const { theme } = useSyncExternalStore(settings.subscribe, settings.current);
  return (
    <Choice
      id="choose-theme"
      label={t("Appearance")}
      value={theme}
      choices={THEMES}
      onChange={(next) => settings.change({ theme: next })}
    />
  );
}

interface ChoiceProps<T extends string> {
  id: string;
  label: string;
  value: T;
  choices: Record<T, string>;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ id, label, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value as T)}>
        {(Object.keys(choices) as T[]).map((one) => (
          <option key={one} value={one}>
            {t(choices[one])}
          </option>
        ))}
      </select>
    </>
  );
}
