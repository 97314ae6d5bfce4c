// Step 1: drop or choose a file, or learn why the last one cannot be read.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { Notice } from "../ui/pieces.tsx";
import { useDeps } from "./deps.ts";

interface FileStepProps {
  collection: Collection;
  refused?: { title: string; detail: string };
}

export function FileStep({ collection, refused }: FileStepProps) {
  const { desk } = useDeps();
  const [isOver, setOver] = useState(false);
  return (
    <>
      {refused && (
        <Notice tone="wrong">
          <b>{refused.title}</b> {refused.detail}
        </Notice>
      )}
      <div className={isOver ? "drop over" : "drop"}>
        <b>Drop a CSV file here</b>
        <span className="dim">
          or <u>choose one</u>. Any size: it is read on this computer, row by row.
        </span>
        <input
          type="file"
          aria-label="CSV file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          onDragEnter={() => setOver(true)}
          onDragLeave={() => setOver(false)}
          onDrop={() => setOver(false)}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = ""; // the same file, mended, may be chosen again
            if (file) desk.look(file, collection);
          }}
        />
      </div>
      <p className="small dim">
        New here? The{" "}
        <Link to="/$collection/dictionary" params={{ collection: collection.name }}>
          data dictionary
        </Link>{" "}
        says what a file holds and has a template to start from.
      </p>
    </>
  );
}
