// The floor for the service over HTTP: plain Fastify with a Map behind it, in a process of its own.

import Fastify from "fastify";
import { customerRows } from "../support/customers.ts";

interface Customer {
  objectId: number;
  [name: string]: string | number;
}

const [, , rows = "100000"] = process.argv;
const customers = new Map<number, Customer>();
for (const [id, firstName, lastName, accountID] of customerRows(Number(rows))) {
  const now = new Date().toISOString();
  customers.set(Number(id), { objectId: Number(id), firstName, lastName, accountID, createdAt: now, updatedAt: now, version: 1 });
}
const all = [...customers.values()];

const app = Fastify({ bodyLimit: 8 * 1_024 * 1_024 });
app.get<{ Params: { id: string } }>("/customers/:id", async (request) => customers.get(Number(request.params.id)));
app.get<{ Querystring: { limit: string } }>("/customers", async (request) => ({ customers: all.slice(0, Number(request.query.limit)) }));
app.post<{ Body: Customer | { customers: Customer[] } }>("/customers", async (request, reply) => {
  reply.code(201);
  const { body } = request;
  const given = Array.isArray(body.customers) ? (body.customers as Customer[]) : [body as Customer];
  for (const customer of given) customers.set(customer.objectId, customer);
  return body;
});
process.stdout.write(`Fastify is ready at ${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
