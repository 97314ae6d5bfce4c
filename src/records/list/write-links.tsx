import { Plus, Upload } from "lucide";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import * as buttonStyles from "../../ui/button.module.css";
import { Icon } from "../../ui/primitives.tsx";

export function UploadLink({ collection }: { collection: Collection }) {
  return (
    <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
      <Icon of={Upload} />
      {t("Upload a file")}
    </Link>
  );
}

export function WriteLinks({ collection, mayCreate }: { collection: Collection; mayCreate: boolean }) {
  return (
    <>
      <UploadLink collection={collection} />
      {mayCreate && (
        <Link className={buttonStyles.primary} to="/$collection/new" params={{ collection: collection.name }}>
          <Icon of={Plus} />
          {t("New {noun}", { noun: collection.noun })}
        </Link>
      )}
    </>
  );
}
