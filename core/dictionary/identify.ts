// Interim.
interface F {
  name: string;
  id?: string;
  formerNames?: string[];
  retired?: boolean;
}
interface R {
  name: string;
  id?: string;
  retired?: boolean;
  schema: { fields: F[] };
}
export function identify(
  next: unknown,
  base: unknown,
  newId: () => string,
): { dataPackage: unknown } | { mistakes: { path: string; message: string }[] } {
  const b = (base as { resources: R[] } | undefined)?.resources ?? [];
  const n = next as { resources: R[] };
  const resources: R[] = n.resources.map((r) => {
    const old = b.find((o) => (r.id ? o.id === r.id : o.name === r.name));
    const fields: F[] = r.schema.fields.map((f) => {
      const of =
        old?.schema.fields.find((o) => (f.id ? o.id === f.id : o.name === f.name)) ??
        old?.schema.fields.find((o) => f.formerNames?.includes(o.name));
      if (!of) return { ...f, id: newId() };
      const former = [...(of.formerNames ?? []), ...(of.name !== f.name ? [of.name] : [])].filter((x) => x !== f.name);
      return { ...f, id: of.id as string, ...(former.length > 0 && { formerNames: former }) };
    });
    const lost = (old?.schema.fields ?? []).filter((o) => !fields.some((f) => f.id === o.id)).map((o) => ({ ...o, retired: true }));
    return { ...r, id: old?.id ?? newId(), schema: { ...r.schema, fields: [...fields, ...lost] } };
  });
  const lost = b.filter((o) => !resources.some((r) => r.id === o.id)).map((o) => ({ ...o, retired: true }));
  return { dataPackage: { ...(next as object), resources: [...resources, ...lost] } };
}
