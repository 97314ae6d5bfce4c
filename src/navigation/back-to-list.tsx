import { Link } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import { say } from "../../dictionary/words.ts";
import { useListPlace } from "./list-place.ts";
import { nounsOf } from "./record-name.ts";

export function BackToList({ collection }: { collection: Collection }) {
  const search = useListPlace(collection.name);
  return (
    <Link className="button" to="/$collection" params={{ collection: collection.name }} search={search}>
      {say("Back to {nouns}", nounsOf(collection))}
    </Link>
  );
}
