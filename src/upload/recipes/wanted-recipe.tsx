// The recipe that the address names, for the files that are chosen next.

import { useQuery } from "@tanstack/react-query";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { recipeQuery, recipesQuery } from "../../service/recipes.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import { Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { describeRecipe } from "./describe-recipe.ts";

export function WantedRecipe({ collection, id }: { collection: Collection; id: string }) {
  const { client } = useServices();
  const { data: recipes } = useQuery(recipesQuery(client, collection));
  const recipe = recipes?.find((one) => one.id === id);
  if (!recipes) return null;
  return (
    <Notice tone={recipe ? "plain" : "doubt"}>
      {recipe ? <Sentence recipe={recipe} /> : t("The recipe of this link is not there any more.")}
      <div className={noticeStyles.actions}>
        <Link className="button" to="/$collection/upload" params={{ collection: collection.name }}>
          {t("Without a recipe")}
        </Link>
      </div>
    </Notice>
  );
}

function Sentence({ recipe }: { recipe: RecipeInfo }) {
  const { client } = useServices();
  const { data: whole } = useQuery(recipeQuery(client, recipe));
  return (
    <>
      <NameInSentence name={recipe.name} text={t("The file that you choose is read by the recipe “{name}”.")} />{" "}
      {whole && <span className={textStyles.dim}>{describeRecipe(whole)}</span>}
    </>
  );
}
