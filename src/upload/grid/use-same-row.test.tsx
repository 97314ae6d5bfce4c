import { act, render, screen } from "@testing-library/react";
import { useLayoutEffect, useState } from "react";
import { expect, test } from "vitest";
import { useSameRow } from "./use-same-row.ts";

interface Props {
  rows: readonly number[];
  /** Goes to the row at this place as soon as these rows are drawn, as a key does that is pressed just then. */
  goTo?: number;
}

function Grid({ rows, goTo }: Props) {
  const [index, setIndex] = useState(1);
  const [isSelected, setIsSelected] = useState(true);
  const rowAt = (i: number) => (rows[i] === undefined ? undefined : { row: rows[i] });
  const gridRows = { total: rows.length, isOfFilter: true, rowAt, indexOf: (row: number) => rows.indexOf(row) };
  const { rememberRow } = useSameRow(gridRows, { index, field: 0 }, (place) => {
    setIndex(place.index);
    setIsSelected(false);
  });
  useLayoutEffect(() => {
    if (goTo === undefined) return;
    rememberRow(rows[goTo]);
    setIndex(goTo);
  }, [goTo, rows, rememberRow]);
  return (
    <p>
      row {rows[index]}, {isSelected ? "selected" : "not selected"}
    </p>
  );
}

test("the focus follows its row, and what was selected is not any more", () => {
  const { rerender } = render(<Grid rows={[4, 5, 6]} />);
  expect(screen.getByText("row 5, selected")).toBeTruthy();
  rerender(<Grid rows={[5, 6]} />);
  expect(screen.getByText("row 5, not selected")).toBeTruthy();
});

test("what is selected stays when a key is pressed just as rows come", () => {
  const { rerender } = render(<Grid rows={[4, 5, 6]} />);
  act(() => rerender(<Grid rows={[4, 5, 6, 7]} goTo={2} />));
  expect(screen.getByText("row 6, selected")).toBeTruthy();
});
