import type { Collection } from "../../dictionary/collections.ts";
import { say } from "../../dictionary/words.ts";
import { Notice, PageTitle } from "../ui/pieces.tsx";
import { BackToList } from "./back-to-list.tsx";
import { nounsOf } from "./record-name.ts";

/** `title` is the page's that would be here. */
export function MayNotWrite({ collection, title }: { collection: Collection; title: string }) {
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{title}</PageTitle>
      </div>
      <Notice>
        <b>{say("This key may read, not change.")}</b> {say("To enter {nouns}, sign in with a key that may write.", nounsOf(collection))}
        <div className="actions">
          <BackToList collection={collection} />
        </div>
      </Notice>
    </main>
  );
}
