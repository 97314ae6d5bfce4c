// Saves the rows that were not stored, as CSV or as a workbook of Excel.

import { useMutation } from "@tanstack/react-query";
import { t } from "../../../core/i18n/translate.ts";
import type { ErrorsFile } from "../../../pipeline/sending/journal.ts";
import { download } from "../../app/services/download.ts";
import { Failure } from "../../ui/primitives.tsx";

/** `load` gives the file as CSV. */
export function ErrorsFileButtons({ load }: { load: () => Promise<ErrorsFile> }) {
  const saving = useMutation({
    mutationFn: async (isWorkbook: boolean) => {
      const file = await load();
      return isWorkbook ? asWorkbook(file) : file;
    },
    onSuccess: ({ blob, name }) => download(blob, name),
  });
  const save = (isWorkbook: boolean) => saving.isPending || saving.mutate(isWorkbook);
  return (
    <>
      <button type="button" aria-disabled={saving.isPending} onClick={() => save(false)}>
        {t("Download rows not stored")}
      </button>
      <button type="button" aria-disabled={saving.isPending} onClick={() => save(true)}>
        {t("Download as Excel")}
      </button>
      {saving.error && <Failure error={saving.error} retry={() => save(saving.variables)} />}
    </>
  );
}

async function asWorkbook({ blob, name }: ErrorsFile): Promise<ErrorsFile> {
  const { errorsFileToXlsx } = await import("../../../pipeline/containers/csv-to-xlsx.ts");
  const stem = name.replace(/\.csv$/, "");
  return { blob: await errorsFileToXlsx(blob, stem), name: `${stem}.xlsx` };
}
