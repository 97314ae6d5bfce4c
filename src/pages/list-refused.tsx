// What a list says of an address that the service refuses, and the ways on. Fetched when it is first needed.

import { Link } from "@tanstack/react-router";
import type { Collection } from "../../dictionary/collections.ts";
import { say } from "../../dictionary/words.ts";
import type { ApiError } from "../api/client.ts";
import { Notice } from "../ui/pieces.tsx";

interface RefusedProps {
  collection: Collection;
  refused: ApiError;
  address: Record<string, string>;
}

/** The service's own words, and a way on: the address without what it refuses. */
export function Refused({ collection, refused, address }: RefusedProps) {
  const { parameters } = refused;
  const names = new Set(parameters.map(({ name }) => name));
  const rest = Object.fromEntries(Object.entries(address).filter(([name]) => !names.has(name)));
  return (
    <Notice tone="wrong">
      <b>{say("This address asks for a list in a way that the service does not know.")}</b>
      {parameters.length === 0 && ` ${refused.message}`}
      {parameters.length > 0 && (
        <ul>
          {parameters.map(({ name, message }) => (
            <li key={name}>
              <code>{name}</code>: {/^.*?\.(?= |$)/.exec(message)?.[0] ?? message}
            </li>
          ))}
        </ul>
      )}
      <div className="actions">
        {names.size > 0 && Object.keys(rest).length > 0 && (
          <Link className="button" to="/$collection" params={{ collection: collection.name }} search={rest}>
            {say("Show the list without it")}
          </Link>
        )}
        <Link className="button" to="/$collection" params={{ collection: collection.name }}>
          {say("Show all")}
        </Link>
      </div>
    </Notice>
  );
}
