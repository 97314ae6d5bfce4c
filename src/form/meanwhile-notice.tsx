// Says that someone else saved meanwhile: per field what it was, what they saved and what the user typed. Decides nothing.

import { ScrollArea } from "../ui/pieces.tsx";
import type { MeanwhileChange } from "./changes.ts";
import { textOf } from "./field-text.ts";

export function MeanwhileNotice({ noun, changes }: { noun: string; changes: MeanwhileChange[] }) {
  const isClash = changes.some((change) => change.clash);
  return (
    <div className="note doubt" role="alert">
      <b>Someone else changed this {noun} meanwhile.</b> Nothing of yours is saved yet.{" "}
      {isClash
        ? "What you typed stands below; Save puts it over theirs."
        : "Their change is taken over below and does not touch yours; Save to keep both."}
      {changes.length > 0 && (
        <ScrollArea label="What changed meanwhile">
          <table className="compare">
            <thead>
              <tr>
                <th>Field</th>
                <th>It was</th>
                <th>Saved meanwhile</th>
                <th>You typed</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, was, theirs, mine, clash }) => (
                <tr key={field.name}>
                  <td>{field.title}</td>
                  <td dir="auto">{textOf(field, was) || "—"}</td>
                  <td dir="auto">{textOf(field, theirs) || "—"}</td>
                  <td dir="auto">{clash ? textOf(field, mine) || "—" : <span className="dim">not changed</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </div>
  );
}
