// Saves what the list shows as a new view, or changes the name of a view and who sees it.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { MAX_VIEW_NAME, type View } from "../../../core/contract/views.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useNavigate } from "../../app/router/router-context.tsx";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { useViewWrites } from "../../service/view-writes.ts";
import * as formStyles from "../../ui/form.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { lengthError, TextField } from "../../ui/text-field.tsx";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { VIEW_PARAMETER } from "../query/list-url.ts";
import { searchOf } from "../query/list-views.ts";
import { describeView } from "./describe-view.ts";
import type { ViewParts } from "./tabs.ts";
import { mayChooseWhoSees, mayShare } from "./view-rights.ts";

interface ViewDialogProps extends ViewParts {
  what: "new" | "edit";
  onClose: () => void;
}

export function ViewDialog({ collection, state, current, what, onClose }: ViewDialogProps) {
  const { client, toasts } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const writes = useViewWrites(client);
  const navigate = useNavigate();
  const edited = what === "edit" ? current?.view : undefined;
  const [name, setName] = useState(edited?.name ?? "");
  const [isShared, setShared] = useState(edited?.isShared ?? false);
  const [wrong, setWrong] = useState<string>();
  const [id] = useState(() => newIdempotencyKey().slice(16)); // the same at each attempt
  const search = searchOf(state);
  const isChoosing = edited ? mayChooseWhoSees(edited, me) : mayShare(collection, me);

  const save = useMutation({
    mutationFn: (): Promise<View> => {
      const fields = { name: name.trim(), isShared };
      return edited ? writes.change(edited, fields) : writes.create({ ...fields, id, collection: collection.name, search });
    },
    onSuccess: (saved) => toasts.show({ message: <NameInSentence name={saved.name} text={t("The view “{name}” is saved.")} /> }),
    onError(error) {
      if (isTaken(error)) setWrong(error.message);
      else if (edited && error instanceof ApiError && error.status === 412) void writes.readAgain(edited.id).catch(() => undefined);
    },
  });

  /** Runs only while the dialog is open: someone who has closed it meanwhile is not taken anywhere. */
  function close(saved: View): void {
    onClose();
    if (edited) return;
    const here = { ...search, [VIEW_PARAMETER]: saved.id };
    void navigate({ to: "/$collection", params: { collection: collection.name }, search: here, replace: true, resetScroll: false });
  }

  return (
    <FormDialog
      title={!edited ? t("Save the list as a view") : isChoosing ? t("Name and who sees it") : t("Rename the view")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={toError(save.error)}
      onSubmit={() => {
        const why = faultOf(name.trim());
        setWrong(why);
        if (!why) save.mutate(undefined, { onSuccess: close });
      }}
      onClose={onClose}
    >
      {!edited && (
        <p className={textStyles.note} dir="auto">
          {describeView(collection, { search })}
        </p>
      )}
      <TextField
        id="view-name"
        label={t("Name")}
        value={name}
        autoComplete="off"
        autoFocus
        dir="auto"
        onChange={(next) => {
          setName(next);
          setWrong(undefined);
        }}
        error={wrong}
      />
      {isChoosing && (
        <WhoSeesIt everybody={t("Everybody who may see {nouns}", nounsOf(collection))} isShared={isShared} onChange={setShared} />
      )}
    </FormDialog>
  );
}

function faultOf(name: string): string | undefined {
  return name === "" ? t("Give the view a name.") : lengthError(t("Name"), name, MAX_VIEW_NAME);
}

/** Returns what stands above the fields. Of a name that is taken, the field itself says it. */
function toError(error: Error | null): Error | null {
  if (!error || isTaken(error)) return null;
  const isOutdated = error instanceof ApiError && error.status === 412;
  return isOutdated ? new Error(t("Somebody has changed this view meanwhile. Save again to give it this name.")) : error;
}

const isTaken = (error: Error) => error instanceof ApiError && error.code === "VIEW_NAME_TAKEN";

interface WhoSeesItProps {
  everybody: string;
  isShared: boolean;
  onChange: (isShared: boolean) => void;
}

function WhoSeesIt({ everybody, isShared, onChange }: WhoSeesItProps) {
  const name = useId();
  return (
    <fieldset>
      <legend>{t("Who sees it")}</legend>
      <label className={formStyles.choice}>
        <input type="radio" name={name} checked={!isShared} onChange={() => onChange(false)} />
        <span>{t("Only you")}</span>
      </label>
      <label className={formStyles.choice}>
        <input type="radio" name={name} checked={isShared} onChange={() => onChange(true)} />
        <span>
          {everybody} <span className={textStyles.hint}>{t("You and administrators can change it.")}</span>
        </span>
      </label>
    </fieldset>
  );
}
