import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { nounsOf } from "../../values/record-name.ts";
import { Link } from "../router/link.tsx";
import { useLastListUrl } from "./last-list-urls.ts";

export function BackToList({ collection }: { collection: Collection }) {
  const search = useLastListUrl(collection.name);
  return (
    <Link className="button" to="/$collection" params={{ collection: collection.name }} search={search}>
      {t("Back to {nouns}", nounsOf(collection))}
    </Link>
  );
}
