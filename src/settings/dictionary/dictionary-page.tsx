// The data dictionary for people: fields, kinds, rules and examples of a collection, and its template file.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { FORMATS } from "../../../core/dictionary/text-formats.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPage, lazyPart } from "../../app/code/lazy-page.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useParams, useSearch } from "../../app/router/router-context.tsx";
import { useCollection } from "../../app/services/services.ts";
import { useTemplate } from "../../app/services/use-template.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle } from "../../ui/primitives.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as stackedTableStyles from "../../ui/stacked-table.module.css";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { rulesOf } from "./field-rules.ts";

const EditTools = lazyPart(
  () => import("./edit-tools.tsx"),
  "EditTools",
  () => null,
);
const QualityPage = lazyPage(() => import("../../records/quality/quality-page.tsx"), "QualityPage");
const DictionaryEditor = lazyPage(() => import("./editor.tsx"), "DictionaryEditor");

export function DictionaryPage() {
  const { collection: name } = useParams();
  const { draft, versions, quality } = useSearch();
  const isEdited = draft !== undefined || versions !== undefined;
  if (quality !== undefined) return <QualityPage />;
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
        <button type="button" onClick={() => template.download("xlsx")}>
          {t("Template for Excel")}
        </button>
        <button type="button" onClick={() => template.download()}>
          {t("Download template")}
        </button>
        <Link className="button" to="/$collection/dictionary" params={{ collection: collection.name }} search={{ quality: "all" }}>
          {t("Data quality")}
        </Link>
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
                <td data-title={t("Kind")}>
                  <Kind field={field} />
                </td>
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

/** Says of a reference to what it refers; whoever may not see that is told what its cells hold. */
function Kind({ field }: { field: Field }) {
  const parent = useCollection(field.reference?.collection);
  if (parent) return `${t("Refers to")} ${parent.title}`;
  return field.isPerson ? t("Person") : t((field.format ? FORMATS[field.format] : KIND_TRAITS[field.kind]).title);
}
