// A secret that is shown once, such as a new API key or a one-time link, with a button that copies it.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "./button.module.css";
import * as formStyles from "./form.module.css";
import * as noticeStyles from "./notice.module.css";
import * as textStyles from "./text.module.css";

interface CopyOnceProps {
  title: ReactNode;
  /** The accessible name of the secret. */
  label: string;
  secret: string;
  /** Says what to do with it. */
  children: ReactNode;
  onDone: () => void;
}

/** Takes the focus. Stays on the page until the user says that the secret is copied. */
export function CopyOnce({ title, label, secret, children, onDone }: CopyOnceProps) {
  const [copied, setCopied] = useState<"copied" | "selected">();
  const input = useRef<HTMLInputElement>(null);
  const titleId = useId();
  const notice = useRef<HTMLElement>(null);
  useEffect(() => notice.current?.focus(), []);
  async function copy(): Promise<void> {
    input.current?.select();
    // The clipboard is missing where the app is served without TLS on another host than localhost.
    const isCopied = await navigator.clipboard?.writeText(secret).then(
      () => true,
      () => false,
    );
    setCopied(isCopied ? "copied" : "selected");
  }
  return (
    <section className={noticeStyles.notice} data-tone="doubt" aria-labelledby={titleId} ref={notice} tabIndex={-1}>
      <b id={titleId}>{title}</b> {children}
      <div className={noticeStyles.actions}>
        <span className={formStyles.withAction} style={{ flex: "1 1 100%" }}>
          <input
            ref={input}
            className={textStyles.code}
            aria-label={label}
            readOnly
            dir="ltr"
            value={secret}
            onFocus={({ target }) => target.select()}
          />
          <button type="button" className={buttonStyles.primary} onClick={copy}>
            {t("Copy")}
          </button>
        </span>
        <button type="button" onClick={onDone}>
          {t("Done")}
        </button>
        <span role="status" className={textStyles.dim}>
          {copied === "copied" && t("Copied.")}
          {copied === "selected" && t("This browser does not let the page copy. The text is selected: copy it yourself.")}
        </span>
      </div>
    </section>
  );
}
