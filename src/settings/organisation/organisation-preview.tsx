// Shows what others will see, on a light and on a dark page.

import { type CSSProperties, useEffect, useRef } from "react";
import { shadesOf } from "../../../core/contract/accent-shades.ts";
import { ACCENT } from "../../../core/contract/organisation.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { initials } from "../../ui/monogram.tsx";
import * as styles from "./organisation.module.css";
import type { OrganisationValues } from "./organisation-page.tsx";

interface PreviewProps {
  values: OrganisationValues;
  /** The address of the stored logo, or nothing. */
  stored: string;
}

export function OrganisationPreview({ values, stored }: PreviewProps) {
  return (
    <figure className={styles.preview}>
      <figcaption>{t("Preview")}</figcaption>
      {(["light", "dark"] as const).map((scheme) => (
        <Sample key={scheme} scheme={scheme} values={values} stored={stored} />
      ))}
    </figure>
  );
}

function Sample({ scheme, values, stored }: PreviewProps & { scheme: "light" | "dark" }) {
  const { client } = useServices();
  const { name, accent, signInNote, logo } = values;
  const shades = ACCENT.test(accent.trim()) ? shadesOf(accent.trim().toLowerCase()) : { light: "#1f4fa3", dark: "#8fb4ff" };
  const colours = { colorScheme: scheme, "--accent": shades[scheme] } as CSSProperties;
  const shown = name.trim() || "Intake";
  return (
    <div className={styles.sample} style={colours} aria-hidden="true">
      <div className="brand">
        {logo === "" ? (
          <b>{initials(shown)}</b>
        ) : logo === stored ? (
          <img src={new URL(logo, client.baseUrl).href} alt="" />
        ) : (
          <Picture base64={logo} />
        )}
        <span>{shown}</span>
      </div>
      {signInNote.trim() && <p>{signInNote}</p>}
      <span className={styles.button}>{t("Sign in")}</span>
      <span className={styles.link}>{t("Help")}</span>
    </div>
  );
}

/** Draws a picture that no address has yet: the content security policy shows only those of the app and the service. */
function Picture({ base64 }: { base64: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isMounted = true;
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    void createImageBitmap(new Blob([bytes])).then((picture) => {
      if (!canvas.current || !isMounted) return;
      Object.assign(canvas.current, { width: picture.width, height: picture.height });
      canvas.current.getContext("2d")?.drawImage(picture, 0, 0);
    });
    return () => {
      isMounted = false;
    };
  }, [base64]);
  return <canvas ref={canvas} className={styles.picture} />;
}
