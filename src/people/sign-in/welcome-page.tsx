// Shows what a one-time link opens: the first administrator's set-up, an invitation, or a new password.

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../../client/errors.ts";
import { readOidcOutcome } from "../../../client/sessions.ts";
import { type LinkInfo, type LinkPurpose, MAX_PERSON_NAME } from "../../../core/contract/people.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { AccessToEnd } from "../../app/services/access-to-end.tsx";
import { ErrorRetry } from "../../app/services/error-retry.tsx";
import { useServices } from "../../app/services/services.ts";
import { lookUpLink, openWithLink } from "../../service/sign-in.ts";
import { signInWaysQuery } from "../../service/sign-in-ways.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { takeFocus } from "../../ui/focus/restore-focus.ts";
import { NewPasswordField, passwordError } from "../../ui/new-password-field.tsx";
import { AppTitle, Brand, Failure, Skeleton } from "../../ui/primitives.tsx";
import * as cardStyles from "../../ui/start-card.module.css";
import * as textStyles from "../../ui/text.module.css";
import { lengthError, TextField } from "../../ui/text-field.tsx";
import { ResetForm } from "./forgotten-password.tsx";
import { OidcReturn } from "./oidc-return.tsx";

const TITLES: Record<LinkPurpose, string> = {
  "set-up": message("Set up {app}"),
  invitation: message("Welcome to {app}"),
  password: message("Set a new password"),
};
const INTRODUCTIONS: Record<LinkPurpose, string> = {
  "set-up": message("You become the first administrator. You can invite others afterwards."),
  invitation: message("Choose a password. From then on you sign in with it and your e-mail address."),
  password: message("Your old password ends, and so do all your sessions."),
};

interface WelcomeProps {
  /** `path`: where to go on, the start page without it. */
  onDone: (path?: string) => void;
}

/** What it is about is behind the # of the address: no server and no log sees it. It leaves the address bar as soon as it is read. */
export function WelcomePage({ onDone }: WelcomeProps) {
  const [fragment, setFragment] = useState(() => location.hash.slice(1));
  const outcome = useMemo(() => readOidcOutcome(fragment), [fragment]);
  useLayoutEffect(() => {
    const take = () => {
      if (location.hash) setFragment(location.hash.slice(1));
      history.replaceState(history.state, "", location.pathname);
    };
    take(); // before anything is shown
    addEventListener("hashchange", take); // a link that is pasted into this tab loads nothing
    return () => removeEventListener("hashchange", take);
  }, []);
  if (outcome) return <OidcReturn outcome={outcome} page={(title, below) => <Card title={title}>{below}</Card>} onDone={onDone} />;
  if (fragment === "") return <NoLinkPage onDone={onDone} />;
  return <LinkPage key={fragment} code={fragment} onDone={onDone} />;
}

/** After a reload the code is gone from the address. */
function NoLinkPage({ onDone }: WelcomeProps) {
  const { session } = useServices();
  const isSignedOut = useSyncExternalStore(session.subscribe, session.state) === "signedOut";
  useEffect(() => {
    if (!isSignedOut) onDone();
  }, [isSignedOut, onDone]);
  if (!isSignedOut) return null;
  return (
    <Card title={t("Open the link from your mail again")}>
      <p>{t("This page forgets the link when it is reloaded. Until you have used it, it still works.")}</p>
      <button type="button" className={buttonStyles.primary} onClick={() => onDone()}>
        {t("Go to sign-in")}
      </button>
    </Card>
  );
}

function LinkPage({ code, onDone }: WelcomeProps & { code: string }) {
  const { client, session, signOut } = useServices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [isOpening, setOpening] = useState(false);
  const [hasEnded, setEnded] = useState(false);
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery({
    queryKey: ["one-time link", code],
    queryFn: () => lookUpLink(client, code),
    enabled: state === "signedOut" && !isOpening,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (isOpening && state === "signedIn") onDone();
  }, [isOpening, state, onDone]);
  if (state !== "signedOut" && !isOpening) {
    return (
      <Card title={t("Someone is signed in")}>
        <p>{t("This link signs you in with the account that it was made for. Sign out first.")}</p>
        <button type="button" className={buttonStyles.primary} onClick={signOut.leave}>
          {t("Sign out")}
        </button>
        <button type="button" onClick={() => onDone()}>
          {t("Stay signed in")}
        </button>
      </Card>
    );
  }
  if (hasEnded || (error instanceof ApiError && error.status < 429)) return <UselessLink onDone={onDone} />;
  if (data) return <LinkForm info={data} code={code} onBusy={setOpening} onEnded={() => setEnded(true)} />;
  return (
    <Card title={t("Welcome")}>
      {error ? <ErrorRetry error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} /> : <Skeleton width="100%" />}
    </Card>
  );
}

/** Where people have links sent to themselves, an older one ends with each. Which kind this one was, nobody knows any more. */
function UselessLink({ onDone }: WelcomeProps) {
  const { client } = useServices();
  const { data: ways, isPending } = useQuery(signInWaysQuery(client));
  return (
    <Card title={t("This link cannot be used")}>
      {isPending ? (
        <Skeleton width="100%" />
      ) : ways?.hasUsers && ways.canMailLinks ? (
        <>
          <p>
            {t(
              "A link works once and for a limited time, and a newer one ends it. If several were sent, open the one in your newest mail, or have another one sent.",
            )}
          </p>
          <ResetForm />
        </>
      ) : (
        <p>{t("A link works once and for a limited time. Ask an administrator for a new one.")}</p>
      )}
      <button type="button" className={buttonStyles.primary} onClick={() => onDone()}>
        {t("Go to sign-in")}
      </button>
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const app = useContext(AppTitle) ?? "Intake";
  useEffect(() => {
    document.title = `${title} · ${app}`;
  }, [title, app]);
  return (
    <main className={cardStyles.screen}>
      <div className={cardStyles.card}>
        <Brand />
        {/* Takes the focus from the form or the button that it replaces. */}
        <h1 key={title} ref={takeFocus} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

interface LinkFormProps {
  info: LinkInfo;
  code: string;
  /** Is true before the sign-in, so that the page stays until it is done. */
  onBusy: (isBusy: boolean) => void;
  /** The link was used, or a newer one was made, while the form was open. */
  onEnded: () => void;
}

function LinkForm({ info, code, onBusy, onEnded }: LinkFormProps) {
  const { client, session } = useServices();
  const app = useContext(AppTitle) ?? "Intake";
  const { purpose } = info;
  const [email, setEmail] = useState(info.email ?? "");
  const [name, setName] = useState(info.name ?? "");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [kept, setKept] = useState<string[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      onBusy(true);
      const whoever =
        purpose === "password" ? {} : purpose === "set-up" ? { email: email.trim(), name: name.trim() } : { name: name.trim() };
      return openWithLink(client, session, { code, password, keep: kept, ...whoever });
    },
    onError(failure) {
      onBusy(false);
      if (failure instanceof ApiError && failure.code === "LINK_INVALID") return onEnded();
      const problems = failure instanceof ApiError ? failure.problems : [];
      setWrong(Object.fromEntries(problems.map((problem) => [problem.field, problem.message])));
      document.getElementById(problems[0]?.field === "password" ? "new-password" : (problems[0]?.field ?? ""))?.focus();
    },
  });

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const tooShort = passwordError(password);
    const wrongName = name.trim() === "" ? t("Enter your name.") : lengthError(t("Name"), name, MAX_PERSON_NAME);
    const found = {
      ...(purpose === "set-up" && !/.@./.test(email) && { email: t("Enter your whole e-mail address, such as anna.berg@example.org.") }),
      ...(purpose !== "password" && wrongName && { name: wrongName }),
      ...(tooShort && { password: tooShort }),
    };
    setWrong(found);
    const [first] = Object.keys(found);
    if (first) document.getElementById(first === "password" ? "new-password" : first)?.focus();
    else if (!isPending) mutate();
  }

  const isElsewhere = error && Object.keys(wrong).length === 0;
  return (
    <Card title={t(TITLES[purpose], { app })}>
      <p className={textStyles.note}>{t(INTRODUCTIONS[purpose])}</p>
      <form onSubmit={submit} noValidate>
        {isElsewhere && <Failure error={error} />}
        <TextField
          id="email"
          type="email"
          label={t("E-mail")}
          autoComplete="username"
          readOnly={purpose !== "set-up"}
          value={email}
          onChange={setEmail}
          error={wrong.email}
        />
        {purpose !== "password" && (
          <TextField id="name" label={t("Your name")} autoComplete="name" dir="auto" value={name} onChange={setName} error={wrong.name} />
        )}
        <NewPasswordField label={t("New password")} value={password} onChange={setPassword} error={wrong.password} />
        <AccessToEnd access={info.access} kept={kept} onChange={setKept} />
        <button type="submit" className={buttonStyles.primary} aria-disabled={isPending}>
          {t("Set the password and sign in")}
        </button>
      </form>
    </Card>
  );
}
