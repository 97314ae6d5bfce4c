// The data dictionary for people: fields, kinds, rules and examples of a collection, and its template file.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { allows, SHAPE } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { FORMATS } from "../../../core/dictionary/text-formats.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPage } from "../../app/code/lazy-page.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { useCollection, useServices } from "../../app/services/services.ts";
import { useTemplate } from "../../app/services/use-template.ts";
import { createDraft, draftsQuery } from "../../service/dictionary-drafts.ts";
import { meQuery } from "../../service/me.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as stackedTableStyles from "../../ui/stacked-table.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { nameOfPrincipal } from "../../values/change-words.ts";
import { rulesOf } from "./field-rules.ts";

const DictionaryEditor = lazyPage(() => import("./editor.tsx"), "DictionaryEditor");

export function DictionaryPage() {
  const { collection: name } = useParams();
  const { draft, versions } = useSearch();
  const isEdited = draft !== undefined || versions !== undefined;
  return isEdited ? <DictionaryEditor /> : <Fields name={name} />;
}

function Fields({ name }: { name: string | undefined }) {
  const collection = useCollection(name);
  return collection ? <CollectionDictionary key={collection.name} collection={collection} /> : <NotFound />;
}

function CollectionDictionary({ collection }: { collection: Collection }) {
  const template = useTemplate(collection);
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("{title}: data dictionary", { title: collection.title })}</PageTitle>
        <button type="button" onClick={template.download}>
          {t("Download template")}
        </button>
        <EditTools collection={collection.name} />
      </div>
      {template.error && <Failure error={template.error} />}
      <p>
        {collection.description}{" "}
        {t("A file to upload has one row for each {noun}. Its first row has the names below, in any order.", {
          noun: collection.noun,
        })}
      </p>
      <ScrollArea label={t("All fields")}>
        <table className={stackedTableStyles.stacked} aria-label={t("Fields")}>
          <thead>
            <tr>
              <th>{t("Field")}</th>
              <th>{t("Name in files")}</th>
              <th>{t("Kind")}</th>
              <th>{t("Rules")}</th>
              <th>{t("Example")}</th>
            </tr>
          </thead>
          <tbody>
            {collection.fields.map((field) => (
              <tr key={field.name}>
                <td className={tableStyles.wrap}>
                  <b>{field.title}</b>
                  {field.description && <div className={textStyles.hint}>{field.description}</div>}
                </td>
                <td data-title={t("Name in files")}>
                  <code>{field.name}</code>
                </td>
                <td data-title={t("Kind")}>{t((field.format ? FORMATS[field.format] : KIND_TRAITS[field.kind]).title)}</td>
                <td className={tableStyles.wrap} data-title={t("Rules")}>
                  {rulesOf(collection, field).join(" · ")}
                </td>
                <td data-title={t("Example")}>
                  <bdi>{field.example}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </main>
  );
}

/** For whoever may shape the dictionary. Edit goes on with the caller's own draft, or begins one. */
function EditTools({ collection }: { collection: string }) {
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
