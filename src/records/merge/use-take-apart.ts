import { useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { asksOwners, takeMergeApart } from "../../service/merges.ts";
import { keys } from "../../service/records.ts";
import { countOf } from "../../values/record-name.ts";

/** Takes a merge apart and says so. Rejects where fields have to be decided only for whoever passes `onAsked`. */
export function useTakeApart(collection: Collection) {
  const { client, toasts } = useServices();
  const { collections } = useDictionary();
  const queries = useQueryClient();
  return async (id: string, owners?: Readonly<Record<string, string>>, onAsked?: (error: Error) => void): Promise<boolean> => {
    try {
      const { back, kept } = await takeMergeApart(client, collection, id, owners);
      queries.removeQueries({ queryKey: [...keys.all(collection), "merge"] });
      await queries.invalidateQueries();
      const stay = Object.entries(kept).flatMap(([child, n]) => {
        const of = collections.find(({ name }) => name === child);
        return of ? countOf(of, n) : [];
      });
      const done = tCount(back.length, "Taken apart. One record came back.", "Taken apart. {n} records came back.");
      toasts.show({
        message: stay.length > 0 ? `${done} ${t("What was changed since stays: {records}.", { records: stay.join(", ") })}` : done,
      });
      return true;
    } catch (error) {
      if (onAsked) onAsked(error as Error);
      else if (asksOwners(error))
        toasts.show({ message: t("It was changed since. Take it apart on its page, where you are asked what belongs to whom.") });
      else toasts.show({ message: (error as Error).message });
      return false;
    }
  };
}
