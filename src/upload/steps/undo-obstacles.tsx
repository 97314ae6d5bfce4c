// Shows what keeps records from being undone, in groups, with links to the first records of each.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { titleOfProblem } from "../../../core/dictionary/unique-keys.ts";
import { t, tCode } from "../../../core/i18n/translate.ts";
import type { UndoObstacle } from "../../../pipeline/runs/upload-state.ts";
import { Link } from "../../app/router/link.tsx";
import { Notice } from "../../ui/primitives.tsx";
import { count } from "../../values/format.ts";

export function UndoObstacles({ obstacles, collection }: { obstacles: readonly UndoObstacle[]; collection: Collection }) {
  if (obstacles.length === 0) return null;
  return (
    <Notice tone="doubt">
      <b>{t("Why records could not be undone")}</b>
      <ul>
        {obstacles.map((obstacle) => (
          <li key={`${obstacle.code} ${obstacle.field} ${obstacle.detail}`}>
            {count(obstacle.count, "{n} record", "{n} records")}: {reasonOf(obstacle, collection)} {t("The first of them:")}{" "}
            {obstacle.ids.map((id, i) => (
              <span key={id}>
                {i > 0 && ", "}
                <Link to="/$collection/$id" params={{ collection: collection.name, id: String(id) }}>
                  {String(id)}
                </Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {t("When that is out of the way, undo it again: what is undone stays undone.")}
    </Notice>
  );
}

function reasonOf({ code, field, detail }: UndoObstacle, collection: Collection): string {
  switch (code) {
    case "IN_USE":
      return t("Other records refer to them. Delete or change those first, or undo the upload that made them.");
    case "VALUES_FORGOTTEN":
      return t("Their earlier values are no longer kept in the history.");
    case undefined:
      return t("A rule of the dictionary or another record is in the way.");
    default:
      return tCode(code, detail ?? code, { field: titleOfProblem(collection, { code, field: field ?? "" }) ?? field });
  }
}
