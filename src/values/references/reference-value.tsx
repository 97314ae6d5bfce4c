import * as textStyles from "../../ui/text.module.css";
import { ReferenceInput, type ReferenceInputProps } from "./reference-input.tsx";

export interface ReferenceValueProps extends Pick<ReferenceInputProps, "field" | "id" | "text" | "onText"> {
  wrong: string | undefined;
}

/** A record chosen outside a form: for a filter or a bulk change. */
export function ReferenceValue({ wrong, id, ...props }: ReferenceValueProps) {
  return (
    <>
      <ReferenceInput {...props} id={id} aria-invalid={wrong !== undefined} aria-describedby={wrong ? `${id}-wrong` : undefined} />
      {wrong && (
        <span className={textStyles.error} id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}
