// The ways from the page of the dictionary to its editor and its versions.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { allows, SHAPE } from "../../../core/contract/scopes.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { createDraft } from "../../service/dictionary-drafts.ts";
import { meQuery } from "../../service/me.ts";
import { draftsQuery } from "../../service/open-drafts.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Failure } from "../../ui/primitives.tsx";
import { nameOfPrincipal } from "../../values/change-words.ts";

/** Serves whoever may shape the dictionary. Edit goes on with the caller's own draft, or begins one. */
export function EditTools({ collection }: { collection: string }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery(client));
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      if (!me) return;
      const { drafts } = await queries.fetchQuery({ ...draftsQuery(client), staleTime: 0 });
      const own = drafts.find(({ createdBy }) => createdBy.id === me.principal.id && createdBy.type === me.principal.type);
      const { id } = own ?? (await createDraft(client, { title: t("Draft of {name}", { name: nameOfPrincipal(me.principal) }) }));
      await navigate({ to: "/$collection/dictionary", params: { collection }, search: { draft: id } });
    },
  });
  if (!me || !allows(me.scope, SHAPE)) return null;
  return (
    <>
      <Link className="button" to="/$collection/dictionary" params={{ collection }} search={{ versions: "1" }}>
        {t("Versions")}
      </Link>
      <button type="button" className={buttonStyles.primary} aria-disabled={isPending} onClick={() => isPending || mutate()}>
        {t("Edit")}
      </button>
      {error && <Failure error={error} />}
    </>
  );
}
