// The organisation's name and look, for administrators, with a preview of what others see.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { shadesOf } from "../../../core/contract/accent-shades.ts";
import {
  ACCENT,
  isSupportUrl,
  MAX_ORGANISATION_NAME,
  MAX_SIGN_IN_NOTE,
  MAX_SUPPORT_URL,
  type Organisation,
} from "../../../core/contract/organisation.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useLeaveGuard } from "../../app/navigation/leave-guard.tsx";
import { useServices } from "../../app/services/services.ts";
import { changeOrganisation, readOrganisation } from "../../service/organisation.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { lengthError, TextField } from "../../ui/text-field.tsx";
import { LogoField } from "./logo-field.tsx";
import * as styles from "./organisation.module.css";
import { OrganisationPreview } from "./organisation-preview.tsx";

const KEY = ["organisation"];

export function OrganisationPage() {
  const { client } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => readOrganisation(client, signal),
    refetchOnMount: "always",
  });
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("Organisation")}</PageTitle>
      </div>
      <p className={textStyles.note}>{t("Everybody sees it in the sidebar, on the sign-in page and on the browser’s tab.")}</p>
      {data ? <OrganisationForm {...data} /> : error ? <Failure error={error} retry={refetch} /> : <Skeleton width="320px" />}
    </>
  );
}

/** Holds them as they stand in the inputs. `logo`: the address of the stored picture, or the bytes of a new one in base64. */
export interface OrganisationValues {
  name: string;
  accent: string;
  signInNote: string;
  supportUrl: string;
  logo: string;
}

type Wrong = Partial<Record<keyof OrganisationValues, string>>;

function toValues({ name, accent, signInNote, supportUrl, logo }: Organisation): OrganisationValues {
  return { name: name ?? "", accent: accent ?? "", signInNote: signInNote ?? "", supportUrl: supportUrl ?? "", logo: logo?.href ?? "" };
}

function OrganisationForm({ now, etag }: { now: Organisation; etag: string | null }) {
  const { client, organisation, toasts } = useServices();
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Partial<OrganisationValues>>({});
  const [wrong, setWrong] = useState<Wrong>({});
  const stored = toValues(now);
  const values = { ...stored, ...edits };
  const names = (Object.keys(edits) as (keyof OrganisationValues)[]).filter((name) => values[name].trim() !== stored[name]);
  const isDirty = names.length > 0;
  const { onDirty, dialog } = useLeaveGuard();
  useEffect(() => onDirty(isDirty, false), [onDirty, isDirty]);
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const change = Object.fromEntries(names.map((name) => [name, values[name].trim() || null]));
      organisation.put(await changeOrganisation(client, change, etag));
      await queries.invalidateQueries({ queryKey: KEY });
    },
    onSuccess() {
      setEdits({});
      toasts.show({ message: t("The organisation is saved.") });
    },
    onError(failure) {
      const problems = failure instanceof ApiError ? failure.problems : [];
      setWrong(Object.fromEntries(problems.map(({ field, message }) => [field, message])));
      // What somebody else has stored meanwhile comes into the fields that nobody changed here.
      return queries.invalidateQueries({ queryKey: KEY });
    },
  });
  const edit = (name: keyof OrganisationValues) => (to: string) => {
    setEdits((before) => ({ ...before, [name]: to }));
    setWrong((before) => ({ ...before, [name]: undefined }));
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = mistakesIn(values);
    setWrong(found);
    const first = Object.keys(found)[0];
    if (first) document.getElementById(`organisation-${first}`)?.focus();
    else if (isDirty && !isPending) mutate();
  }
  const field = (name: keyof OrganisationValues) => ({
    id: `organisation-${name}`,
    value: values[name],
    onChange: edit(name),
    error: wrong[name],
  });
  return (
    <div className={styles.columns}>
      <form className={formStyles.form} noValidate onSubmit={submit}>
        {error && Object.keys(wrong).length === 0 && <Failure error={error} />}
        <TextField {...field("name")} label={t("Name")} dir="auto" autoComplete="organization" />
        <LogoField {...field("logo")} stored={stored.logo} />
        <AccentField {...field("accent")} />
        <TextField
          {...field("signInNote")}
          label={t("Line on the sign-in page")}
          dir="auto"
          hint={t("Such as who helps with a lost password. Everybody can read it without signing in.")}
        />
        <TextField
          {...field("supportUrl")}
          label={t("Address for help")}
          dir="ltr"
          placeholder="https://… mailto:…"
          hint={t("A page, or an e-mail address after mailto:. It stands on the sign-in page and in everybody’s menu.")}
        />
        <div className={pageStyles.tools}>
          <button type="submit" className={buttonStyles.primary} aria-disabled={isPending || !isDirty}>
            {t("Save")}
          </button>
          {isDirty && (
            <button type="button" className={buttonStyles.quiet} onClick={() => [setEdits({}), setWrong({})]}>
              {t("Discard")}
            </button>
          )}
        </div>
      </form>
      <OrganisationPreview values={values} stored={stored.logo} />
      {dialog}
    </div>
  );
}

function mistakesIn({ name, accent, signInNote, supportUrl }: OrganisationValues): Wrong {
  const tooLong = lengthError(t("Name"), name, MAX_ORGANISATION_NAME);
  const noteTooLong = lengthError(t("Line on the sign-in page"), signInNote, MAX_SIGN_IN_NOTE);
  const isAddress = supportUrl.trim() === "" || (isSupportUrl(supportUrl.trim()) && supportUrl.length <= MAX_SUPPORT_URL);
  return {
    ...(tooLong && { name: tooLong }),
    ...(accent.trim() !== "" && !ACCENT.test(accent.trim()) && { accent: t("Enter a colour such as #1f4fa3.") }),
    ...(noteTooLong && { signInNote: noteTooLong }),
    ...(!isAddress && { supportUrl: t("Enter an address that begins with https:// or mailto:.") }),
  };
}

interface AccentFieldProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

function AccentField({ id, value, onChange, error }: AccentFieldProps) {
  const isColour = ACCENT.test(value.trim());
  return (
    <div className={styles.accent}>
      <TextField
        id={id}
        label={t("Accent colour")}
        dir="ltr"
        placeholder="#1f4fa3"
        spellCheck={false}
        value={value}
        onChange={onChange}
        error={error}
        hint={isColour ? shadeSentence(value.trim().toLowerCase()) : t("For buttons, links and marks. Empty: the app’s blue.")}
      />
      <input
        type="color"
        aria-label={t("Pick the accent colour")}
        value={isColour ? value.trim() : "#1f4fa3"}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

/** Says where the colour could not be read, and what stands in its place there. */
function shadeSentence(accent: string): string {
  const { light, dark } = shadesOf(accent);
  if (light !== accent && dark !== accent)
    return t("Too pale for text on white and on dark pages: the app shows {light} there, and {dark} in the dark.", { light, dark });
  if (light !== accent) return t("Too light for text on white: there the app shows {light}.", { light });
  if (dark !== accent) return t("Too dark for dark pages: there the app shows {dark}.", { dark });
  return t("It can be read on light and on dark pages.");
}
