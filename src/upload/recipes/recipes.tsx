// Recipes of files: the one that fits is offered, any other can be chosen, and a checked file is saved as one.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { foldName } from "../../../core/contract/names.ts";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import {
  applyRecipe,
  type RecipeContent,
  readLayoutRecipe,
  readRecipe,
  recipeOf,
  similarRecipe,
} from "../../../pipeline/mapping/recipe.ts";
import { NO_CORRECTIONS } from "../../../pipeline/model/corrections.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { useSearch } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { useWhileMounted } from "../../app/services/use-is-mounted.ts";
import { meQuery } from "../../service/me.ts";
import { RECIPE_KEYS, recipeQuery, recipesQuery, saveRecipe, USE_RECIPE } from "../../service/recipes.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import { FormDialog } from "../../ui/form-dialog.tsx";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { TextField } from "../../ui/text-field.tsx";
import { isolated, quoted } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { mayReplace, nameFrom } from "./recipe-names.ts";

interface RecipeChoiceProps {
  collection: Collection;
  inspection: FileInspection;
  plan: Plan;
}

export function RecipeChoice({ collection, inspection, plan }: RecipeChoiceProps) {
  const { client } = useServices();
  const { data: recipes = [] } = useQuery(recipesQuery(client, collection));
  const { use, clear, fetching, error } = useRecipe(collection, inspection, plan);
  useWanted(recipes, plan, use);
  if (recipes.length === 0 && !error) return null;
  const used = recipes.find(({ name }) => name === plan.recipe);
  const shown = fetching ?? used;
  const similar = similarRecipe(recipes, inspection.header);
  return (
    <>
      <div className={pageStyles.tools}>
        <label className={chipStyles.chip}>
          {t("Recipe")}
          <select
            value={shown?.id ?? ""}
            onChange={({ target }) => {
              const chosen = recipes.find(({ id }) => id === target.value);
              if (chosen) use(chosen);
              else clear();
            }}
          >
            <option value="">{t("none")}</option>
            {recipes.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error && <Failure error={error} />}
      {used && <UsedNote collection={collection} recipe={used} inspection={inspection} />}
      {!plan.recipe && similar && (
        <Notice>
          <NameInSentence
            name={similar.name}
            who={similar.updatedBy?.name ?? ""}
            text={
              similar.updatedBy
                ? t("This file looks like those of the recipe “{name}”, saved by {who}.")
                : t("This file looks like those of the recipe “{name}”.")
            }
          />
          <div className={noticeStyles.actions}>
            <button type="button" onClick={() => use(similar)}>
              {t("Use the recipe")}
            </button>
          </div>
        </Notice>
      )}
    </>
  );
}

const givenTo = new WeakSet<File>();

/** Uses the recipe that the address names, once for each file: whoever then takes another, or none, has it. */
function useWanted(recipes: readonly RecipeInfo[], plan: Plan, use: (recipe: RecipeInfo) => void): void {
  const { uploadManager } = useServices();
  const { recipe: wanted }: Record<string, string | undefined> = useSearch();
  const found = recipes.find(({ id }) => id === wanted);
  const { file } = uploadManager.state();
  const give = useEffectEvent((recipe: RecipeInfo) => plan.recipe || use(recipe));
  useEffect(() => {
    if (!found || !file || givenTo.has(file)) return;
    givenTo.add(file);
    give(found);
  }, [found, file]);
}

interface Asked {
  recipe: RecipeInfo;
  /** Is the file for which it is meant. */
  file: File | undefined;
}

/** Fetches the recipe. It may say how the file is written: then the file is read anew first. */
function useRecipe(collection: Collection, inspection: FileInspection, plan: Plan) {
  const { client, uploadManager } = useServices();
  const queries = useQueryClient();
  const wanted = useRef<RecipeInfo>(undefined); // of several that were chosen, the last
  const [waiting, setWaiting] = useState<{ recipe: RecipeInfo; content: RecipeContent; since: FileInspection }>();

  function apply({ name, headings }: RecipeInfo, content: RecipeContent, { dialect, header }: FileInspection): void {
    const { columns, meaning, rules, columnRules } = applyRecipe(content, headings, collection, header);
    uploadManager.choose({
      dialect,
      columns,
      ...meaning,
      ...(columnRules.length > 0 && { rules: columnRules }),
      fixes: { ...NO_CORRECTIONS, ...rules },
      recipe: name,
    });
  }
  async function readContent(recipe: RecipeInfo): Promise<unknown> {
    try {
      return (await queries.fetchQuery(recipeQuery(client, recipe))).content;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      await queries.invalidateQueries({ queryKey: RECIPE_KEYS }); // then it is offered no more
      throw new Error(t("The recipe “{name}” was deleted meanwhile.", { name: isolated(recipe.name) }));
    }
  }

  const applyNow = useEffectEvent(apply);
  useEffect(() => {
    if (!waiting || waiting.since === inspection) return;
    setWaiting(undefined);
    applyNow(waiting.recipe, waiting.content, inspection);
  }, [waiting, inspection]);

  const using = useMutation({
    mutationKey: USE_RECIPE,
    async mutationFn({ recipe }: Asked) {
      const stored = await readContent(recipe);
      if (readLayoutRecipe(stored)) throw new Error(layoutSentence(recipe));
      const content = readRecipe(stored);
      if (!content)
        throw new Error(
          t("The recipe “{name}” was saved by another version of Intake and cannot be used here.", { name: isolated(recipe.name) }),
        );
      return content;
    },
    onSuccess(content, { recipe, file }) {
      const now = uploadManager.state();
      if (wanted.current !== recipe || now.upload?.step !== "columns" || now.file !== file) return; // no longer meant
      if (Object.keys(content.choices).length === 0) return apply(recipe, content, inspection);
      setWaiting({ recipe, content, since: inspection });
      uploadManager.inspectAgain(content.choices);
    },
  });
  return {
    use(recipe: RecipeInfo) {
      wanted.current = recipe;
      using.mutate({ recipe, file: uploadManager.state().file });
    },
    clear() {
      if (wanted.current) void queries.cancelQueries({ queryKey: recipeQuery(client, wanted.current).queryKey });
      wanted.current = undefined;
      using.reset();
      const { columns, matchBy } = inspection;
      uploadManager.choose({ dialect: plan.dialect, columns, mode: plan.mode, ...(matchBy && { matchBy }) });
    },
    fetching: using.isPending ? using.variables.recipe : undefined,
    error: using.error,
  };
}

function layoutSentence({ name }: RecipeInfo): string {
  return t("The recipe “{name}” holds the layout of a file of an older system: load such files with the batch command.", {
    name: isolated(name),
  });
}

/** Says what a person should know of it before the check. */
function UsedNote({ collection, recipe, inspection }: { collection: Collection; recipe: RecipeInfo; inspection: FileInspection }) {
  const { client } = useServices();
  const { data } = useQuery(recipeQuery(client, recipe));
  const content = data && readRecipe(data.content);
  if (!content) return null;
  const { gone } = applyRecipe(content, recipe.headings, collection, inspection.header);
  if (gone.length === 0)
    return (
      <Notice>
        <NameInSentence
          name={recipe.name}
          text={t("Columns and corrections as the recipe “{name}” says. The check shows what it corrects.")}
        />
      </Notice>
    );
  const list = gone.map(quoted).join(", ");
  return (
    <Notice tone="doubt">
      <NameInSentence name={recipe.name} text={t("The recipe “{name}” also matches columns that this file lacks: {list}.", { list })} />
    </Notice>
  );
}

interface SaveRecipeProps {
  collection: Collection;
  fileName: string;
  plan: Plan;
  choices: Choices;
}

export function SaveRecipe(props: SaveRecipeProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={buttonStyles.quiet} onClick={() => setIsOpen(true)}>
        {t("Save as recipe")}
      </button>
      {isOpen && <RecipeDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function RecipeDialog({ collection, fileName, plan: begun, choices, onClose: close }: SaveRecipeProps & { onClose: () => void }) {
  const onClose = useWhileMounted(close);
  const { client, toasts, uploadManager } = useServices();
  const queries = useQueryClient();
  const query = recipesQuery(client, collection);
  const { data: recipes = [] } = useQuery(query);
  const { data: me } = useQuery(meQuery(client));
  const [name, setName] = useState(begun.recipe ?? nameFrom(fileName));
  const [wrong, setWrong] = useState<string>();
  const before = recipes.find((one) => foldName(one.name) === foldName(name));
  const save = useMutation({
    async mutationFn() {
      if (before && readLayoutRecipe((await queries.fetchQuery(recipeQuery(client, before))).content))
        throw new Error(
          t("The recipe “{name}” holds the layout of a file of an older system. Choose another name.", { name: isolated(before.name) }),
        );
      const { plan, headings } = await uploadManager.query({ for: "plan" });
      const content: RecipeContent = recipeOf(plan, choices);
      const recipe = { collection: collection.name, name: name.trim(), headings: [...headings], content: { ...content } };
      return saveRecipe(client, recipe, before);
    },
    onSuccess: async (saved) => {
      toasts.show({ message: <NameInSentence name={saved.name} text={t("The recipe “{name}” is saved.")} /> });
      onClose();
      await queries.invalidateQueries({ queryKey: RECIPE_KEYS });
    },
  });

  function submit(): void {
    const why = name.trim() === "" ? t("Give the recipe a name.") : before && !mayReplace(before, me) ? takenBy(before) : undefined;
    setWrong(why);
    if (!why) save.mutate();
  }

  return (
    <FormDialog
      title={t("Save as recipe")}
      submitLabel={before ? t("Replace") : t("Save")}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={textStyles.note}>
        {t(
          "A recipe keeps how this file is read, its columns and the corrections that hold for every file of this form. Corrections of single rows are not part of it.",
        )}{" "}
        {t("Everybody who uploads {nouns} can use it, and so can the batch command.", nounsOf(collection))}
      </p>
      <TextField
        id="recipe-name"
        label={t("Name")}
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={(next) => {
          setName(next);
          setWrong(undefined);
        }}
        error={wrong}
        {...(before && { hint: t("There is a recipe of this name already. It is replaced.") })}
      />
    </FormDialog>
  );
}

function takenBy({ createdBy }: RecipeInfo): string {
  return createdBy
    ? t("{who} has saved a recipe of this name. Choose another name.", { who: isolated(createdBy.name) })
    : t("Somebody else has saved a recipe of this name. Choose another name.");
}
