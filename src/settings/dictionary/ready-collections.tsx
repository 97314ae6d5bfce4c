// The gallery of collections that come ready: one press adds one to the draft, with sample records if wanted.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { loadReady, READY_PACKAGES } from "./gallery/ready-packages.ts";
import { withFreeNames, withNamesOf } from "./package-edits.ts";
import type { EditedDraft } from "./use-draft.ts";
import { keepSamples } from "./waiting-file.ts";

export function ReadyCollections({ edited }: { edited: EditedDraft }) {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const target = useEditorTarget();
  const [hasSamples, setSamples] = useState(true);
  const { draft, change } = edited;
  const adding = useMutation({
    mutationFn: loadReady,
    async onSuccess({ resources, roles, samples }) {
      if (!draft) return;
      const made = withFreeNames(resources, draft.package.resources);
      change((all) => {
        const own = withFreeNames(resources, all.resources);
        const names = new Map(resources.map(({ name }, i) => [name, own[i]?.name ?? name]));
        const known = all.roles ?? [];
        const brought = withNamesOf(roles, names).filter(({ name }) => !known.some((role) => role.name === name));
        return { ...all, resources: [...all.resources, ...own], roles: [...known, ...brought] };
      });
      if (hasSamples) keepSamples(uploadManager, draft.id, made.map(({ name }, i) => ({ collection: name, records: samples[i] ?? [] }))); // biome-ignore format: short
      await navigate(target("review", { of: made[0]?.name }));
    },
  });
  return (
    <>
      <p>
        {t("Each of them is yours once it is added: change it as you like. The roles that it brings are shown before anything is applied.")}
      </p>
      <label className={formStyles.choice}>
        <input type="checkbox" checked={hasSamples} onChange={({ target }) => setSamples(target.checked)} />
        <span>
          {t("With a few sample records")} <span className={textStyles.note}>{t("One press on the start page removes them again.")}</span>
        </span>
      </label>
      {adding.error && <Failure error={adding.error} />}
      <ul className={styles.ready} aria-label={t("Ready collections")}>
        {READY_PACKAGES.map((offer) => (
          <li key={offer.id}>
            <b>{t(offer.title)}</b>
            <p>{t(offer.description)}</p>
            <div className={pageStyles.tools}>
              <button
                type="button"
                aria-label={t("Add {title}", { title: t(offer.title) })}
                aria-disabled={adding.isPending}
                onClick={() => adding.isPending || adding.mutate(offer)}
              >
                {t("Add")}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
