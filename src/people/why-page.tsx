// Says what a person may do with a collection, a record and its fields, and which role decides it.

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import {
  type ExplainedAccess,
  type ExplainedRight,
  type FieldShown,
  sentenceOfField,
  sentenceOfRight,
} from "../../core/contract/explained-access.ts";
import { isIdText } from "../../core/contract/paths.ts";
import { allows } from "../../core/contract/scopes.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { useNavigate, useSearch } from "../app/router/router-context.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import { meQuery } from "../service/me.ts";
import { explainedAccessQuery, usersQuery } from "../service/people.ts";
import * as formStyles from "../ui/form.module.css";
import * as pageStyles from "../ui/page.module.css";
import { PageTitle } from "../ui/primitives.tsx";
import { StackedTable } from "../ui/stacked-table.tsx";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";

const RIGHT_WORDS: Record<ExplainedRight, string> = {
  read: message("Read"),
  create: message("Create"),
  update: message("Change"),
  delete: message("Delete"),
  export: message("Take along as a file"),
};
const SHOWN_WORDS: Record<FieldShown, string> = {
  hidden: message("Hidden"),
  masked: message("Masked"),
  readOnly: message("Only seen"),
  changeable: message("Can be changed"),
};

/** All that is chosen stands in the address, so that a link can lead to one answer. */
export function WhyPage() {
  const { client } = useServices();
  const { collections } = useDictionary();
  const navigate = useNavigate();
  const search = useSearch();
  const id = useId();
  const { data: me } = useQuery(meQuery(client));
  const isAdmin = me !== undefined && allows(me.scope, "admin");
  const { data: users = [] } = useQuery({ ...usersQuery(client), enabled: isAdmin });
  const user = search.user ?? (me?.principal.type === "user" ? me.principal.id : users[0]?.id);
  const collection = collections.find(({ name }) => name === search.collection) ?? collections[0];
  const record = search.id ?? "";
  const isId = record === "" || isIdText(record);
  const asked = user && collection && isId ? { user, collection: collection.name, id: record || undefined } : undefined;
  const query = useQuery({ ...explainedAccessQuery(client, asked ?? {}), enabled: asked !== undefined });
  const choose = (change: Record<string, string | undefined>) =>
    void navigate({ to: "/settings/$page", params: { page: "access" }, search: { ...search, ...change }, replace: true });
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("Who may do what, and why")}</PageTitle>
      </div>
      <div className={formStyles.form}>
        {isAdmin && (
          <div className={formStyles.field}>
            <label htmlFor={`${id}-person`}>{t("Person")}</label>
            <select id={`${id}-person`} value={user} onChange={({ target }) => choose({ user: target.value })}>
              {users.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </div>
        )}
        <div className={formStyles.field}>
          <label htmlFor={`${id}-collection`}>{t("Collection")}</label>
          <select
            id={`${id}-collection`}
            value={collection?.name}
            onChange={({ target }) => choose({ collection: target.value, id: undefined })}
          >
            {collections.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <div className={formStyles.field}>
          <label htmlFor={id}>{t("Record")}</label>
          <input
            id={id}
            inputMode="numeric"
            value={record}
            aria-describedby={`${id}-hint`}
            aria-invalid={!isId}
            onChange={({ target }) => choose({ id: target.value.trim() || undefined })}
          />
          <span className={isId ? textStyles.hint : textStyles.error} id={`${id}-hint`}>
            {isId
              ? t("Its {key}. Left empty, the answer is about all of them.", { key: collection?.key.title ?? "" })
              : t("A whole number is needed.")}
          </span>
        </div>
      </div>
      {asked && <Loading query={query} />}
      {asked && query.data && <Answer answer={query.data} />}
    </>
  );
}

function Answer({ answer }: { answer: ExplainedAccess }) {
  const { collections } = useDictionary();
  const collection = collections.find(({ name }) => name === answer.collection);
  const isAllowed = (right: ExplainedRight) => answer.rights.find((one) => one.right === right)?.isAllowed ?? false;
  const mayWrite = isAllowed("update") || (answer.id === undefined && isAllowed("create"));
  const rights = answer.rights.map((one) => ({
    key: one.right,
    what: t(RIGHT_WORDS[one.right]),
    is: one.isAllowed ? t("Yes") : t("No"),
    why: sentenceOfRight(one),
  }));
  const fields = answer.fields.map((one) => ({
    key: one.field,
    what: collection?.byName.get(one.field)?.title ?? one.field,
    is: t(SHOWN_WORDS[one.shown]),
    why: sentenceOfField(one, mayWrite),
  }));
  return (
    <>
      <Reasons title={t("Rights")} asked={t("Allowed")} rows={rights} />
      {fields.length > 0 && <Reasons title={t("Fields")} asked={t("How it is seen")} rows={fields} />}
    </>
  );
}

interface ReasonsProps {
  title: string;
  /** Names what each row answers. */
  asked: string;
  rows: { key: string; what: string; is: string; why: string }[];
}

function Reasons({ title, asked, rows }: ReasonsProps) {
  return (
    <StackedTable label={title} heads={[title, asked, t("Why")]}>
      {rows.map(({ key, what, is, why }) => (
        <tr key={key}>
          <td className={tableStyles.wrap}>
            <b dir="auto">{what}</b>
          </td>
          <td data-title={asked}>{is}</td>
          <td className={tableStyles.wrap} data-title={t("Why")} dir="auto">
            {why}
          </td>
        </tr>
      ))}
    </StackedTable>
  );
}
