// A dictionary as large organisations have them: many collections with many fields of every type.

const TYPES = ["string", "integer", "number", "boolean", "date", "datetime", "time", "year"];

/** A data package. Every third collection refers to the one before it; its fields are of every type in turn, and every fourth has a description. */
export function wideDictionary(collections: number, fields: number) {
  return { name: "wide", resources: Array.from({ length: collections }, (_, n) => resource(n + 1, fields)) };
}

function resource(n: number, count: number) {
  const key = { name: "objectId", title: "Object ID", type: "integer", description: "The number that identifies the record." };
  const parent = { name: "previousId", title: "Previous", type: "integer", description: "The record before." };
  const head = n % 3 === 0 ? [key, parent] : [key];
  const foreignKeys = [{ fields: "previousId", as: "previous", reference: { resource: `collection${n - 1}s`, fields: "objectId" } }];
  return {
    name: `collection${n}s`,
    singular: `collection${n}`,
    title: `Collection ${n}`,
    label: [`property1x${n}`],
    schema: {
      primaryKey: "objectId",
      fields: [...head, ...Array.from({ length: count - head.length }, (_, i) => property(n, i + 1))],
      ...(n % 3 === 0 && { foreignKeys }),
    },
  };
}

/** No two collections have fields of one name. */
function property(collection: number, n: number) {
  const type = TYPES[(n - 1) % TYPES.length] ?? "string";
  return {
    name: `property${n}x${collection}`,
    title: `Property ${n}`,
    type,
    ...(n % 4 === 0 && { description: `What the organisation keeps as its property ${n}.` }),
    ...(type === "string" && { example: `Value ${n}`, constraints: { maxLength: 200, required: n === 1 } }),
    ...(type === "number" && n % 3 === 0 && { decimals: 2 }),
  };
}
