import type { Collection } from "../../../core/dictionary/collections.ts";
import * as textStyles from "../../ui/text.module.css";
import { isPlainClick, Link } from "../router/link.tsx";
import { useLastListUrl } from "./last-list-urls.ts";

/** Leads from above a record's name to its list as it was left. If that is the page before, it is gone back to, as far down as it was scrolled. */
export function WayBack({ collection }: { collection: Collection }) {
  return (
    <div className={textStyles.note} style={{ flex: "1 0 100%" }}>
      <Link
        to="/$collection"
        params={{ collection: collection.name }}
        search={useLastListUrl(collection.name)}
        onClick={(event) => {
          if (!isPlainClick(event) || addressBefore() !== event.currentTarget.href) return;
          event.preventDefault();
          history.back();
        }}
      >
        <span aria-hidden="true">‹ </span>
        {collection.title}
      </Link>
    </div>
  );
}

/** Returns the address of the page before in the browser's history; undefined where the browser does not tell. */
function addressBefore(): string | null | undefined {
  const { navigation } = window as Partial<Pick<Window, "navigation">>;
  return navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.url;
}
