// Collections that come ready, each in a file of its own with a few sample records.

import type { PackageResource, PackageRole } from "../../../../core/dictionary/packages.ts";
import { message } from "../../../../core/i18n/translate.ts";

/** A role as POST /v1/roles takes it, with its name in other languages. */
export interface ReadyRole extends PackageRole {
  translations: Readonly<Record<string, { name: string }>>;
}

export interface ReadyPackage {
  /** Its collections, parents first. */
  resources: readonly PackageResource[];
  /** The roles that it brings, which may name its collections alone. */
  roles: readonly ReadyRole[];
  /** The sample records of each collection, in the same order. */
  samples: readonly (readonly Readonly<Record<string, unknown>>[])[];
}

interface Offer {
  id: string;
  title: string;
  /** Says in a sentence what it is for. */
  description: string;
  /** Returns what JSON has, which the tests hold to ReadyPackage. */
  load: () => Promise<unknown>;
}

export const READY_PACKAGES: readonly Offer[] = [
  {
    id: "customers-and-orders",
    title: message("Customers and orders"),
    description: message("Companies that order, and their orders with number, status and amount."),
    load: () => import("./customers-and-orders.json"),
  },
  {
    id: "members",
    title: message("Members"),
    description: message("People who belong to an association, with group, dates and how to reach them."),
    load: () => import("./members.json"),
  },
  {
    id: "equipment",
    title: message("Equipment register"),
    description: message("What an organisation owns, where it stands, in which condition it is and when it is checked."),
    load: () => import("./equipment.json"),
  },
  {
    id: "inventory",
    title: message("Inventory"),
    description: message("Articles in stock, and each time that some came, went or was counted."),
    load: () => import("./inventory.json"),
  },
  {
    id: "applicants",
    title: message("Applicants"),
    description: message("Positions, and the people who apply for them, from first letter to decision."),
    load: () => import("./applicants.json"),
  },
  {
    id: "cases",
    title: message("Cases"),
    description: message("What people ask for, with status, priority and dates, until it is done."),
    load: () => import("./cases.json"),
  },
];

/** Throws when the file of the package cannot be fetched. */
export async function loadReady({ load }: Offer): Promise<ReadyPackage> {
  const loaded = (await load()) as ReadyPackage & { default?: ReadyPackage };
  return loaded.default ?? loaded;
}
