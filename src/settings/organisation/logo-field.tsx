// Choosing the organisation's logo from a file.

import { useRef, useState } from "react";
import { LOGO_TYPES, MAX_LOGO_BYTES } from "../../../core/contract/organisation.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatBytes } from "../../values/bytes-and-seconds.ts";
import * as styles from "./organisation.module.css";

interface LogoFieldProps {
  id: string;
  value: string;
  /** Gets the bytes of the file in base64, or nothing. */
  onChange: (value: string) => void;
  error: string | undefined;
  /** The address of the stored logo, or nothing. */
  stored: string;
}

export function LogoField({ id, value, onChange, error, stored }: LogoFieldProps) {
  const [refused, setRefused] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    const problem = await problemOf(file);
    setRefused(problem);
    if (!problem) onChange(await inBase64(file));
    if (input.current) input.current.value = ""; // the same file may be chosen again
  }
  const wrong = refused ?? error;
  return (
    <div className={formStyles.field}>
      <b>{t("Logo")}</b>
      <div className={pageStyles.tools}>
        <input
          className={textStyles.hidden}
          id={id}
          ref={input}
          type="file"
          accept={LOGO_TYPES.join(",")}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => void take(target.files?.[0])}
        />
        <label htmlFor={id} className={`button ${styles.choose}`}>
          {value === "" ? t("Choose a logo…") : t("Choose another logo…")}
        </label>
        {value !== "" && (
          <button type="button" className={buttonStyles.quiet} onClick={() => onChange("")}>
            {value === stored ? t("Remove the logo") : t("Remove the new logo")}
          </button>
        )}
      </div>
      <span className={wrong ? textStyles.error : textStyles.hint} id={`${id}-hint`} role={wrong ? "alert" : undefined}>
        {wrong ?? t("PNG, JPEG or WebP, at most {size}. A square one does best: it also stands on the browser’s tab.", { size: most() })}
      </span>
    </div>
  );
}

const most = () => formatBytes(MAX_LOGO_BYTES);

async function problemOf(file: File): Promise<string | undefined> {
  if (file.type === "image/svg+xml") return t("SVG is not taken, because it may hold scripts. Save the logo as PNG.");
  if (!(LOGO_TYPES as readonly string[]).includes(file.type)) return t("Choose a PNG, JPEG or WebP picture.");
  if (file.size > MAX_LOGO_BYTES)
    return t("The picture is {size}. At most {most} are taken.", { size: formatBytes(file.size), most: most() });
  return createImageBitmap(file).then(
    () => undefined,
    () => t("This file cannot be read as a picture."),
  );
}

function inBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
