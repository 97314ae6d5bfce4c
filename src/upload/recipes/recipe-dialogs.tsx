// Renaming and deleting a recipe.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { foldName } from "../../../core/contract/names.ts";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useServices } from "../../app/services/services.ts";
import { useWhileMounted } from "../../app/services/use-is-mounted.ts";
import { deleteRecipe, RECIPE_KEYS, recipeQuery, renameRecipe } from "../../service/recipes.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { describeRecipe } from "./describe-recipe.ts";

interface RecipeDialogProps {
  recipe: RecipeInfo;
  collection: Collection;
  onClose: () => void;
}

/** `recipes`: all that are known, because a name is there once in a collection. */
export function RenameRecipeDialog({ recipe, recipes, onClose: close }: RecipeDialogProps & { recipes: readonly RecipeInfo[] }) {
  const onClose = useWhileMounted(close);
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const [name, setName] = useState(recipe.name);
  const [wrong, setWrong] = useState<string>();
  const rename = useMutation({
    mutationFn: () => renameRecipe(client, recipes.find(({ id }) => id === recipe.id) ?? recipe, name.trim()),
    onSuccess(renamed) {
      toasts.show({ message: <NameInSentence name={renamed.name} text={t("The recipe is called “{name}” now.")} /> });
      onClose();
    },
    // It comes after a failure, too: somebody may have changed it meanwhile.
    onSettled: () => queries.invalidateQueries({ queryKey: RECIPE_KEYS }),
  });
  const isTaken = (one: RecipeInfo) =>
    one.id !== recipe.id && one.collection === recipe.collection && foldName(one.name) === foldName(name);

  function submit(): void {
    const why =
      name.trim() === ""
        ? t("Give the recipe a name.")
        : recipes.some(isTaken)
          ? t("There is a recipe of this name already. Choose another name.")
          : undefined;
    setWrong(why);
    if (!why) rename.mutate();
  }

  return (
    <FormDialog
      title={t("Rename the recipe")}
      submitLabel={t("Rename")}
      isBusy={rename.isPending}
      error={rename.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={textStyles.note}>{t("Commands and watched folders that name it need the new name.")}</p>
      <TextField
        id="recipe-name"
        label={t("Name")}
        value={name}
        maxLength={100}
        autoComplete="off"
        autoFocus
        onChange={(next) => {
          setName(next);
          setWrong(undefined);
        }}
        error={wrong}
      />
    </FormDialog>
  );
}

export function DeleteRecipeDialog({ recipe, collection, onClose: close }: RecipeDialogProps) {
  const onClose = useWhileMounted(close);
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { data: whole } = useQuery(recipeQuery(client, recipe));
  useFocusFallback(); // the row with the button is gone
  const remove = useMutation({
    mutationFn: () => deleteRecipe(client, recipe),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: RECIPE_KEYS });
      toasts.show({ message: <NameInSentence name={recipe.name} text={t("The recipe “{name}” is deleted.")} /> });
      onClose();
    },
  });
  return (
    <FormDialog
      title={<NameInSentence name={recipe.name} text={t("Delete “{name}”?")} />}
      submitLabel={t("Delete")}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      {whole && <p>{describeRecipe(whole)}</p>}
      <p>
        {t("This is lost for everybody who uploads {nouns}, and cannot be undone.", nounsOf(collection))}{" "}
        {t("Commands and watched folders that load by it stop with an error. Records and uploads stay as they are.")}
      </p>
    </FormDialog>
  );
}
