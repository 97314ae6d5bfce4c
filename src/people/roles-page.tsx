// Roles: named sets of rights that people have.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_PERSON_NAME, type Role, type RoleConditions } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "../app/navigation/confirm-dialog.tsx";
import { Link } from "../app/router/link.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import { useWhileMounted } from "../app/services/use-is-mounted.ts";
import { writeCurrent } from "../service/current.ts";
import { meQuery } from "../service/me.ts";
import { changeRole, createRole, deleteRole, invalidatePeople, readRole, rolesQuery } from "../service/people.ts";
import * as buttonStyles from "../ui/button.module.css";
import { FormDialog } from "../ui/form-dialog.tsx";
import * as pageStyles from "../ui/page.module.css";
import { Failure, PageTitle } from "../ui/primitives.tsx";
import * as stackedTableStyles from "../ui/stacked-table.module.css";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { lengthError, TextField } from "../ui/text-field.tsx";
import { findLike } from "../values/find-like.ts";
import { count, formatNumber } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";
import { ConditionsEditor } from "./conditions-editor.tsx";
import { FindInput, MANY } from "./find-input.tsx";
import { roleName } from "./role-name.ts";
import { ScopeEditor } from "./scope-editor.tsx";
import { briefScope } from "./scope-text.ts";
import { useEdits } from "./use-edits.ts";

const PAGE = 50; // roles

export function RolesPage() {
  const { client } = useServices();
  const query = useQuery(rolesQuery(client));
  const { data: roles } = query;
  const [sought, setSought] = useState("");
  const [most, setMost] = useState(PAGE);
  const found = findLike(sought.trim(), roles ?? [], ({ id }) => roleName(roles ?? [], id));
  const [changing, setChanging] = useState<Role | "new">();
  const [copied, setCopied] = useState<Role>();
  const [deleting, setDeleting] = useState<Role>();
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("Roles")}</PageTitle>
        {roles && (
          <button type="button" className={buttonStyles.primary} onClick={() => setChanging("new")}>
            {t("New role")}
          </button>
        )}
      </div>
      <p className={textStyles.dim}>
        {t("A person may do what any of their roles allows. A change holds from the next request on.")}{" "}
        <Link to="/settings/$page" params={{ page: "access" }}>
          {t("Who may do what, and why")}
        </Link>
      </p>
      <Loading query={query} />
      {roles && roles.length > MANY && (
        <FindInput
          label={t("Find roles")}
          sought={sought}
          onSought={setSought}
          found={sought === "" ? "" : count(found.length, "{n} role", "{n} roles")}
        />
      )}
      {found.length > 0 && <RoleTable roles={found.slice(0, most)} onChange={setChanging} onCopy={setCopied} onDelete={setDeleting} />}
      {roles && found.length === 0 && <p className={textStyles.dim}>{t("No role is called like that.")}</p>}
      {found.length > most && (
        <div className={pageStyles.tools}>
          <button type="button" onClick={() => setMost(most + PAGE)}>
            {t("Show more roles")}
          </button>
          <span className={textStyles.dim}>{t("{n} of {total}", { n: formatNumber(most), total: formatNumber(found.length) })}</span>
        </div>
      )}
      {changing && <RoleDialog listed={changing === "new" ? undefined : changing} onClose={() => setChanging(undefined)} />}
      {copied && <RoleDialog listed={undefined} copied={copied} onClose={() => setCopied(undefined)} />}
      {deleting && <DeleteDialog role={deleting} onEnd={() => setDeleting(undefined)} />}
    </>
  );
}

interface RoleTableProps {
  roles: readonly Role[];
  onChange: (role: Role) => void;
  onCopy: (role: Role) => void;
  onDelete: (role: Role) => void;
}

function RoleTable({ roles, onChange, onCopy, onDelete }: RoleTableProps) {
  const { collections } = useDictionary();
  return (
    <table className={stackedTableStyles.stacked} aria-label={t("Roles")}>
      <thead>
        <tr>
          <th>{t("Name")}</th>
          <th>{t("Rights")}</th>
          <th>
            <span className={textStyles.hidden}>{t("Change")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.id}>
            <td className={tableStyles.wrap}>
              <b dir="auto">{roleName(roles, role.id)}</b>
              {role.isBuiltIn && <div className={textStyles.hint}>{t("Built in")}</div>}
            </td>
            <td className={tableStyles.wrap} data-title={t("Rights")}>
              <span>{briefScope(role.scope, collections)}</span>
              {role.conditions && (
                <div className={textStyles.hint}>
                  {t("Leaves something out of {collections}.", {
                    collections: collections.flatMap(({ name, title }) => (role.conditions?.[name] ? title : [])).join(", "),
                  })}
                </div>
              )}
            </td>
            <td className={stackedTableStyles.actions}>
              <span className={pageStyles.tools}>
                <button type="button" aria-label={t("Copy {name}", { name: roleName(roles, role.id) })} onClick={() => onCopy(role)}>
                  {t("Copy")}
                </button>
                {!role.isBuiltIn && (
                  <>
                    <button type="button" aria-label={t("Change {name}", { name: role.name })} onClick={() => onChange(role)}>
                      {t("Change")}
                    </button>
                    <button
                      type="button"
                      className={buttonStyles.danger}
                      aria-label={t("Delete: {title}", { title: role.name })}
                      onClick={() => onDelete(role)}
                    >
                      {t("Delete")}
                    </button>
                  </>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RoleDialogProps {
  /** Holds the role as the list has it, or undefined for a new one; the dialog reads anew. */
  listed: Role | undefined;
  /** A new role begins with the rights of this one. */
  copied?: Role;
  onClose: () => void;
}

function RoleDialog({ listed, copied, onClose: close }: RoleDialogProps) {
  const onClose = useWhileMounted(close);
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery(client));
  const { data: roles = [] } = useQuery({ ...rolesQuery(client), refetchOnMount: "always" });
  const role = roles.find(({ id }) => id === listed?.id) ?? listed;
  const { values, edit, changes, rejectConflicts } = useEdits(editable(role ?? (copied && { ...copied, name: copyName(roles, copied) })));
  const { name, scope, conditions } = values;
  const [wrong, setWrong] = useState<{ name?: string; scope?: string }>({});
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      if (!role) return createRole(client, { name: name.trim(), scope, conditions: JSON.parse(conditions) });
      await writeCurrent(
        () => readRole(client, queries, role.id),
        ({ now, etag }) => {
          rejectConflicts(editable(now));
          const { conditions: changed, ...others } = changes;
          return changeRole(client, role.id, { ...others, ...(changed !== undefined && { conditions: JSON.parse(changed) }) }, etag);
        },
      );
    },
    onSuccess() {
      onClose();
      toasts.show({ message: <NameInSentence name={name.trim()} text={t("{name} is saved.")} /> });
      return invalidatePeople(queries);
    },
  });
  function submit(): void {
    const wrongName = name.trim() === "" ? t("Enter a name.") : lengthError(t("Name"), name, MAX_PERSON_NAME);
    const found = {
      ...(wrongName && { name: wrongName }),
      ...(name.trim() !== role?.name &&
        isTaken(roles, name, role?.id) && { name: t("There is already a role with this name. Choose another name.") }),
      ...(scope === "" && { scope: t("Choose at least one right.") }),
    };
    setWrong(found);
    if (found.name) document.getElementById("role-name")?.focus();
    if (Object.keys(found).length > 0) return;
    if (role && Object.keys(changes).length === 0) onClose();
    else mutate();
  }
  return (
    <FormDialog
      title={role ? <NameInSentence name={role.name} text={t("Change {name}")} /> : t("New role")}
      submitLabel={t("Save")}
      isBusy={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        id="role-name"
        label={t("Name")}
        dir="auto"
        autoFocus
        value={name}
        onChange={(next) => edit("name", next)}
        error={wrong.name}
      />
      <ScopeEditor scope={scope} onChange={(next) => edit("scope", next)} most={me?.scope ?? ""} error={wrong.scope} />
      <ConditionsEditor
        scope={scope}
        conditions={JSON.parse(conditions) as RoleConditions}
        onChange={(next) => edit("conditions", textOf(next))}
      />
    </FormDialog>
  );
}

/** Makes a name that no role has, for one that can be changed at once. */
function copyName(roles: readonly Role[], { id }: Role): string {
  const name = t("Copy of {name}", { name: roleName(roles, id) });
  return [name, ...Array.from({ length: 9 }, (_, i) => `${name} ${i + 2}`)].find((one) => !isTaken(roles, one, undefined)) ?? name;
}

/** Returns what the dialog changes of a role, each as one text: the edits of two people are compared by it. */
function editable(role: Role | undefined) {
  return { name: role?.name ?? "", scope: role?.scope ?? "", conditions: textOf(role?.conditions ?? {}) };
}

/** The same conditions are the same text, whatever the order in which they were chosen. */
function textOf(conditions: RoleConditions): string {
  return JSON.stringify(Object.fromEntries(Object.entries(conditions).sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** Says whether a name is taken as the service sees it, which knows the built-in roles by their names in every language. */
function isTaken(roles: readonly Role[], name: string, ownId: string | undefined): boolean {
  const names = roles.filter(({ id }) => id !== ownId).flatMap((one) => [one.name, roleName(roles, one.id)]);
  return names.some((one) => one.toLowerCase() === name.trim().toLowerCase());
}

function DeleteDialog({ role, onEnd }: { role: Role; onEnd: () => void }) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: () => deleteRole(client, role.id),
    onSuccess() {
      onEnd();
      toasts.show({ message: <NameInSentence name={role.name} text={t("{name} is deleted.")} /> });
      return invalidatePeople(queries);
    },
  });
  return (
    <ConfirmDialog
      title={<NameInSentence name={role.name} text={t("Delete “{name}”?")} />}
      confirmLabel={t("Delete")}
      onConfirm={mutate}
      onCancel={onEnd}
    >
      {t("Only a role that nobody has can be deleted.")}
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}
