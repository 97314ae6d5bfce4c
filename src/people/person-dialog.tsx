import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "../../client/errors.ts";
import { type LastingAccess, MAX_PERSON_NAME, type NewLink, type Role, type User } from "../../core/contract/people.ts";
import { isAdministrator } from "../../core/contract/roles.ts";
import { t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "../app/navigation/confirm-dialog.tsx";
import { Link } from "../app/router/link.tsx";
import { AccessToEnd } from "../app/services/access-to-end.tsx";
import { useServices } from "../app/services/services.ts";
import { useWhileMounted } from "../app/services/use-is-mounted.ts";
import { beginView } from "../app/services/view-as.ts";
import { writeCurrent } from "../service/current.ts";
import { accessQuery } from "../service/lasting-access.ts";
import { meQuery } from "../service/me.ts";
import { removeUserPasskeys } from "../service/passkeys.ts";
import { changeUser, createLink, endUserSessions, invalidatePeople, readUser, userQuery } from "../service/people.ts";
import * as buttonStyles from "../ui/button.module.css";
import { useRestoreFocus } from "../ui/focus/restore-focus.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Failure, Notice } from "../ui/primitives.tsx";
import { lengthError, TextField } from "../ui/text-field.tsx";
import { count } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";
import { AttributesEditor, attributesOfRoles, changedAttributes, textsOf } from "./attributes-editor.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { useEdits } from "./use-edits.ts";

/** Names what is asked about first, because it ends access. */
type EndAct = "disable" | "passkeys" | "sessions";

interface PersonDialogProps {
  /** Holds the person as the list has them; the dialog reads anew. */
  listed: User;
  roles: readonly Role[];
  onMade: (made: { user: User; link: NewLink }) => void;
  onClose: () => void;
}

export function PersonDialog({ listed, roles, onMade, onClose: close }: PersonDialogProps) {
  const onClose = useWhileMounted(close);
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery(client));
  const { data: user = listed } = useQuery({ ...userQuery(client, listed.id), refetchOnMount: "always" });
  const { values, edit, changes, rejectConflicts } = useEdits(editable(user));
  const { email, name, roles: chosen, attributes } = values;
  const [isRoleless, setRoleless] = useState(false);
  const [confirming, setConfirming] = useState<EndAct>();
  const [kept, setKept] = useState<string[]>([]);
  const { data: access = [] } = useQuery({ ...accessQuery(client, user.id), enabled: confirming !== undefined });
  const change = useMutation({
    async mutationFn(body: Parameters<typeof changeUser>[2]) {
      if (body.status) return changeUser(client, user.id, body);
      await writeCurrent(
        () => readUser(client, queries, user.id),
        ({ now, etag }) => {
          rejectConflicts(editable(now));
          return changeUser(client, user.id, body, etag);
        },
      );
    },
    onSuccess(_, body) {
      if (body.email !== undefined && user.status === "invited") link.mutate();
      else {
        onClose();
        toasts.show({ message: <NameInSentence name={name.trim()} text={t("{name} is changed.")} /> });
      }
      return invalidatePeople(queries);
    },
  });
  const link = useMutation({ mutationFn: () => createLink(client, user.id), onSuccess: (made) => onMade({ user, link: made }) });
  const signOut = useMutation({
    mutationFn: () => endUserSessions(client, user.id, kept),
    onSuccess() {
      onClose();
      toasts.show({ message: <NameInSentence name={user.name} text={t("{name} is signed out everywhere.")} /> });
    },
  });
  const removePasskeys = useMutation({
    mutationFn: () => removeUserPasskeys(client, user.id, kept),
    onSuccess() {
      onClose();
      toasts.show({ message: <NameInSentence name={user.name} text={t("{name} has no passkeys any more and is signed out.")} /> });
      return invalidatePeople(queries);
    },
  });
  useRestoreFocus(); // its dialogs take turns, and each knows only the one before it
  const isMoved = changes.email !== undefined;
  const isStepDown = me?.principal.id === user.id && isAdministrator(user.roles, roles) && !isAdministrator(chosen, roles);
  const isBusy = [change, link, signOut, removePasskeys].some(({ isPending }) => isPending);

  const wrongName = name.trim() === "" ? t("Enter a name.") : lengthError(t("Name"), name, MAX_PERSON_NAME);
  const isEmail = /.@./.test(email);
  const wrongEmail = isEmail ? problemOf(change.error, "email") : t("Enter an e-mail address.");
  function submit(): void {
    setRoleless(changes.roles?.length === 0);
    if (wrongName || !isEmail || changes.roles?.length === 0) return;
    const { attributes: typed, ...others } = changes;
    const changed = typed === undefined ? undefined : changedAttributes(typed, user.attributes);
    if (Object.keys(others).length === 0 && !changed) onClose();
    else change.mutate({ ...others, ...(changed && { attributes: changed }) });
  }

  function begin(what: EndAct): void {
    setKept([]);
    setConfirming(what);
  }

  if (confirming) {
    const act = {
      disable: () => change.mutate({ status: "disabled", keep: kept }),
      passkeys: removePasskeys.mutate,
      sessions: signOut.mutate,
    };
    return (
      <EndAccessDialog
        what={confirming}
        name={user.name}
        onConfirm={() => {
          setConfirming(undefined);
          act[confirming]();
        }}
        onCancel={() => setConfirming(undefined)}
      >
        <AccessToEnd access={access.filter(({ kind }) => ENDS[confirming].includes(kind))} kept={kept} onChange={setKept} />
      </EndAccessDialog>
    );
  }
  return (
    <FormDialog
      title={user.name}
      submitLabel={t("Save")}
      isBusy={isBusy}
      error={
        (wrongEmail || problemOf(change.error, "attributes") ? null : change.error) ?? link.error ?? signOut.error ?? removePasskeys.error
      }
      onSubmit={submit}
      onClose={onClose}
      more={
        <>
          <AccessLinks user={user} roles={roles} />
          {user.status !== "disabled" && (
            <button type="button" className={buttonStyles.link} onClick={() => isBusy || link.mutate()}>
              {user.status === "invited" ? t("Make a new invitation") : t("Make a link for a new password")}
            </button>
          )}
          {user.status === "active" && (
            <button type="button" className={buttonStyles.link} onClick={() => isBusy || begin("sessions")}>
              {t("Sign out everywhere…")}
            </button>
          )}
          {user.passkeys > 0 && (
            <button type="button" className={buttonStyles.link} onClick={() => begin("passkeys")}>
              {count(user.passkeys, "Remove {n} passkey…", "Remove {n} passkeys…")}
            </button>
          )}
          {user.status === "disabled" ? (
            <button type="button" className={buttonStyles.link} onClick={() => isBusy || change.mutate({ status: "active" })}>
              {t("Enable the account")}
            </button>
          ) : (
            <button type="button" className={buttonStyles.link} onClick={() => begin("disable")}>
              {t("Disable the account…")}
            </button>
          )}
        </>
      }
    >
      <TextField
        id="person-email"
        type="email"
        label={t("E-mail")}
        autoComplete="off"
        value={email}
        onChange={(next) => edit("email", next)}
        {...(isMoved && { hint: movedHint(user) })}
        error={wrongEmail}
      />
      <TextField id="person-name" label={t("Name")} dir="auto" value={name} onChange={(next) => edit("name", next)} error={wrongName} />
      <RoleChoice
        roles={roles}
        chosen={chosen}
        onChange={(next) => edit("roles", next)}
        error={isRoleless && chosen.length === 0 ? t("Choose at least one role. To shut this person out, disable the account.") : undefined}
      />
      <AttributesEditor
        texts={attributes}
        onChange={(next) => edit("attributes", next)}
        user={user}
        asked={attributesOfRoles(roles, chosen)}
        error={problemOf(change.error, "attributes")}
      />
      {isStepDown && (
        <Notice tone="doubt">
          {t("This is your own account: once saved, you cannot administer any more. Another administrator can give you the role again.")}
        </Notice>
      )}
    </FormDialog>
  );
}

/** Draws the ways to what the person may do: in sentences, and with their eyes. */
function AccessLinks({ user, roles }: { user: User; roles: readonly Role[] }) {
  const services = useServices();
  const { mutate, isPending, error } = useMutation({ mutationFn: () => beginView(services, user.id) });
  return (
    <>
      <Link to="/settings/$page" params={{ page: "access" }} search={{ user: user.id }}>
        {t("What may this person do?")}
      </Link>
      {user.status !== "disabled" && !isAdministrator(user.roles, roles) && (
        <button type="button" className={buttonStyles.link} onClick={() => isPending || mutate()}>
          {t("Look at the app as this person")}
        </button>
      )}
      {error && <Failure error={error} />}
    </>
  );
}

/** Returns what the dialog changes of a person: the edits of two people are compared by it. */
function editable({ email, name, roles, attributes }: User) {
  return { email, name, roles, attributes: textsOf(attributes) };
}

/** Names what else gives access and may be kept. A disabled account has no sessions, and its passkeys open nothing meanwhile. */
const ENDS: Record<EndAct, readonly LastingAccess["kind"][]> = {
  disable: ["key", "webhook"],
  passkeys: ["session", "key", "webhook"],
  sessions: ["session", "key", "passkey", "webhook"],
};

interface EndAccessDialogProps {
  what: EndAct;
  name: string;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
}

function EndAccessDialog({ what, name, onConfirm, onCancel, children }: EndAccessDialogProps) {
  const words: Record<EndAct, { title: string; label: string; text: string }> = {
    disable: {
      title: t("Disable {name}?"),
      label: t("Disable"),
      text: t(
        "All sessions of this person end at once, and nobody can sign in with the account. Programs that use API keys of this person stop: for good, or for those that you keep, until you enable the account again. What the person has entered stays.",
      ),
    },
    passkeys: {
      title: t("Remove all passkeys of {name}?"),
      label: t("Remove all"),
      text: t(
        "Do this when a device is lost. The person is signed out everywhere, and signs in with the password or a link to add a new passkey.",
      ),
    },
    sessions: {
      title: t("Sign out {name} everywhere?"),
      label: t("Sign out everywhere"),
      text: t("Do this when somebody else may use the account, and make a link for a new password as well."),
    },
  };
  const { title, label, text } = words[what];
  return (
    <ConfirmDialog title={<NameInSentence name={name} text={title} />} confirmLabel={label} onConfirm={onConfirm} onCancel={onCancel}>
      {text}
      {children}
    </ConfirmDialog>
  );
}

/** Says what a new address means for the person. */
function movedHint({ status, email }: User): string {
  return status === "invited"
    ? t("The invitation to {email} ends, and a new one is made.", { email })
    : t("Once saved, this address is for signing in and for mails.");
}

/** Returns what the service says of a field, until the next attempt. */
function problemOf(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "EMAIL_TAKEN" && field === "email") return error.message;
  return error.problems.find((problem) => problem.field === field)?.message;
}
