// The one-time link of a person, shown to the administrator who made it.

import type { NewLink, User } from "../../core/contract/people.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { CopyOnce } from "../ui/copy-once.tsx";
import { formatDatetime } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";

const MAIL_WORDS: Record<NewLink["mail"], string> = {
  sent: message("It was sent by mail, too."),
  failed: message("It could not be sent by mail: pass it on yourself."),
  off: message("Pass it on yourself: this service sends no mail."),
};

/** A link that was just made, and for whom. */
export interface MadeLink {
  link: NewLink;
  user: Pick<User, "name">;
}

export function MadeLinkNotice({ made: { link, user }, onDone }: { made: MadeLink; onDone: () => void }) {
  return (
    <CopyOnce
      key={link.url}
      title={<NameInSentence name={user.name} text={t("A link for {name}.")} />}
      label={t("Link")}
      secret={addressOf(link)}
      onDone={onDone}
    >
      {t("It works once, until {time}.", { time: formatDatetime(link.expiresAt) })} {t(MAIL_WORDS[link.mail])}
    </CopyOnce>
  );
}

/** A service that does not know its own address gives a relative one: the app's own is the right one then. */
function addressOf({ url }: NewLink): string {
  return url.startsWith("/") ? new URL(url.slice(1), document.baseURI).href : url;
}
