// The floor for reading from PostgreSQL over HTTP: plain Fastify with a pool and one SELECT, in a process of its own.

import Fastify from "fastify";
import pg from "pg";

const CONNECTIONS = 10; // as the service has for records

const [, , url = ""] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });

const app = Fastify();
app.get<{ Params: { id: string } }>("/customers/:id", async (request) => {
  const { rows } = await pool.query('SELECT * FROM c_customers WHERE "objectId" = $1', [request.params.id]);
  return rows[0];
});
process.stdout.write(`Fastify is ready at ${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
