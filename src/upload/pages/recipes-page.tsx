// The recipes of all collections into which the caller uploads: what each does, whose it is, and what can be done with it.

import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide";
import { useState } from "react";
import { foldName } from "../../../core/contract/names.ts";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import { allows } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { readLayoutRecipe } from "../../../pipeline/mapping/recipe.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useSearch } from "../../app/router/router-context.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useDictionary, useLocale, useServices } from "../../app/services/services.ts";
import { meQuery } from "../../service/me.ts";
import { recipeQuery, recipesQuery } from "../../service/recipes.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Icon, Notice, PageTitle, Skeleton } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatDatetime, formatNumber, formatRelativeTime } from "../../values/format.ts";
import type { ListedUpload } from "../manager/upload-history.ts";
import { describeRecipe } from "../recipes/describe-recipe.ts";
import { DeleteRecipeDialog, RenameRecipeDialog } from "../recipes/recipe-dialogs.tsx";
import { mayReplace } from "../recipes/recipe-names.ts";
import * as styles from "./recipes-page.module.css";
import { useUploads } from "./unfinished-uploads.tsx";

const SHOWN_FIRST = 25;

export interface AskedRecipe {
  what: "rename" | "delete";
  recipe: RecipeInfo;
  collection: Collection;
}

export function RecipesPage() {
  useLocale();
  const { client } = useServices();
  const { collection: chosen }: Record<string, string | undefined> = useSearch();
  const navigate = useNavigate();
  const collections = useUploadCollections();
  const query = useQuery(recipesQuery(client));
  const [asked, setAsked] = useState<AskedRecipe>();
  const [isWhole, setIsWhole] = useState(false);
  const meant = collections.some(({ name }) => name === chosen) ? chosen : undefined;
  const recipes = query.data?.flatMap((recipe) => {
    const collection = collections.find(({ name }) => name === recipe.collection);
    return collection && (meant ?? collection.name) === collection.name ? [{ recipe, collection }] : [];
  });
  const shown = isWhole ? recipes : recipes?.slice(0, SHOWN_FIRST);
  const close = () => setAsked(undefined);
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Recipes")}</PageTitle>
      </div>
      <p className={textStyles.dim}>
        {t(
          "A recipe keeps how files of one form are read, matched and corrected. It is saved after the check of a file; the next such file, and the batch command, are loaded by it.",
        )}
      </p>
      {collections.length > 1 && (
        <div className={pageStyles.tools}>
          <label className={chipStyles.chip}>
            {t("Where")}
            <select
              value={meant ?? ""}
              onChange={({ target }) =>
                navigate({ to: "/recipes", search: { collection: target.value || undefined }, replace: true, resetScroll: false })
              }
            >
              <option value="">{t("Everywhere")}</option>
              {collections.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      <Loading query={query} />
      {collections.length === 0 ? <Notice>{t("You may not upload files.")}</Notice> : recipes?.length === 0 && <NoRecipes />}
      {shown && shown.length > 0 && <RecipeTable recipes={shown} hasSeveral={collections.length > 1} onAsk={setAsked} />}
      {recipes && shown && recipes.length > shown.length && (
        <div>
          <button type="button" onClick={() => setIsWhole(true)}>
            {t("Show all {n}", { n: formatNumber(recipes.length) })}
          </button>
        </div>
      )}
      {asked?.what === "rename" && <RenameRecipeDialog {...asked} recipes={query.data ?? []} onClose={close} />}
      {asked?.what === "delete" && <DeleteRecipeDialog {...asked} onClose={close} />}
    </main>
  );
}

/** Returns the collections into which the caller may upload. If the service cannot say, all. */
function useUploadCollections(): readonly Collection[] {
  const { client } = useServices();
  const { collections } = useDictionary();
  const { data: me } = useQuery(meQuery(client));
  return collections.filter(({ name }) => !me || allows(me.scope, `${name}:create`) || allows(me.scope, `${name}:update`));
}

function NoRecipes() {
  return (
    <div className={pageStyles.empty}>
      <Icon of={ScrollText} isLarge />
      <b>{t("No recipes yet")}</b>
      <span className={textStyles.dim}>{t("Check a file, then press “Save as recipe” below its rows.")}</span>
    </div>
  );
}

interface RecipeTableProps {
  recipes: readonly { recipe: RecipeInfo; collection: Collection }[];
  /** The caller uploads into several collections. */
  hasSeveral: boolean;
  onAsk: (asked: AskedRecipe) => void;
}

function RecipeTable({ recipes, hasSeveral, onAsk }: RecipeTableProps) {
  const { uploadManager } = useServices();
  const { uploads = [] } = useUploads(uploadManager);
  return (
    <StackedTable
      label={t("Recipes")}
      className={styles.recipes}
      heads={[t("Name"), ...(hasSeveral ? [t("Records")] : []), t("Saved by"), t("Changed"), t("Last used here")]}
      actions={t("Actions")}
    >
      {recipes.map(({ recipe, collection }) => (
        <RecipeRow
          key={recipe.id}
          recipe={recipe}
          collection={collection}
          usedAt={lastUse(recipe, uploads)}
          hasSeveral={hasSeveral}
          onAsk={onAsk}
        />
      ))}
    </StackedTable>
  );
}

/** Says when an upload of this browser last used it, in ms since 1970. */
function lastUse({ collection, name }: RecipeInfo, uploads: readonly ListedUpload[]): number | undefined {
  const isBy = (one: ListedUpload) => one.collection === collection && one.recipe !== undefined && foldName(one.recipe) === foldName(name);
  const times = uploads.filter(isBy).map(({ startedAt }) => startedAt);
  return times.length > 0 ? Math.max(...times) : undefined;
}

interface RecipeRowProps extends Pick<RecipeTableProps, "hasSeveral" | "onAsk"> {
  recipe: RecipeInfo;
  collection: Collection;
  usedAt: number | undefined;
}

function RecipeRow({ recipe, collection, usedAt, hasSeveral, onAsk }: RecipeRowProps) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { data: whole, error } = useQuery(recipeQuery(client, recipe));
  const { id, name, updatedAt, updatedBy, createdBy } = recipe;
  return (
    <tr>
      <td className={tableStyles.wrap}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <div className={textStyles.hint}>{whole ? describeRecipe(whole) : error ? error.message : <Skeleton width="14rem" />}</div>
      </td>
      {hasSeveral && <td data-title={t("Records")}>{collection.title}</td>}
      <td data-title={t("Saved by")}>
        <bdi title={createdBy?.name}>{createdBy?.name ?? t("Unknown")}</bdi>
      </td>
      <td data-title={t("Changed")}>
        <span>
          <time dateTime={updatedAt} title={formatDatetime(updatedAt)}>
            {formatRelativeTime(updatedAt)}
          </time>
          {updatedBy && updatedBy.id !== createdBy?.id && (
            <div className={textStyles.hint}>
              <bdi title={updatedBy.name}>{updatedBy.name}</bdi>
            </div>
          )}
        </span>
      </td>
      <td data-title={t("Last used here")}>{usedAt ? formatRelativeTime(new Date(usedAt).toISOString()) : t("Never")}</td>
      <td>
        <div className={styles.actions}>
          {!(whole && readLayoutRecipe(whole.content)) && (
            <Link
              className="button"
              to="/$collection/upload"
              params={{ collection: collection.name }}
              search={{ recipe: id }}
              aria-label={t("Upload with {name}", { name })}
            >
              {t("Upload")}
            </Link>
          )}
          {mayReplace(recipe, me) && (
            <>
              <button
                type="button"
                className={buttonStyles.quiet}
                aria-label={t("Rename {name}", { name })}
                onClick={() => onAsk({ what: "rename", recipe, collection })}
              >
                {t("Rename")}
              </button>
              <button
                type="button"
                className={buttonStyles.quiet}
                aria-label={t("Delete {name}", { name })}
                onClick={() => onAsk({ what: "delete", recipe, collection })}
              >
                {t("Delete")}
              </button>
            </>
          )}
        </div>
      </td>
    </tr>
  );
}
