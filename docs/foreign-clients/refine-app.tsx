// A minimal app of Refine over Intake's data provider, for the test that drives it in a browser.

import { createClient } from "@intake/client";
import { refineProvider } from "@intake/client/providers/refine";
import { createKeySession } from "@intake/client/token-exchange";
import {
  type BaseRecord,
  type HttpError,
  Refine,
  useCreate,
  useDelete,
  useDeleteMany,
  useMany,
  useOne,
  useSelect,
  useTable,
  useUpdate,
  useUpdateMany,
} from "@refinedev/core";
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";

const settings = new URLSearchParams(location.search);
const baseUrl = settings.get("service") ?? "";
const client = createClient({ baseUrl, session: createKeySession(baseUrl, settings.get("key") ?? "") });

type Customer = BaseRecord & { id: number; name: string; city: string | null; version: number };

function Customers({ onOpen }: { onOpen: (id: number | "new") => void }) {
  const { result, currentPage, setCurrentPage, pageCount, setSorters, setFilters } = useTable<Customer>({
    resource: "customers",
    pagination: { pageSize: 10 },
    sorters: { initial: [{ field: "name", order: "asc" }] },
    syncWithLocation: false,
  });
  const [picked, setPicked] = useState<readonly number[]>([]);
  const { mutate: updateMany } = useUpdateMany();
  const { mutate: deleteMany } = useDeleteMany();
  const many = { resource: "customers", ids: [...picked] };
  function find(text: string): void {
    setFilters([{ field: "name", operator: "contains", value: text === "" ? undefined : text }], "replace");
    setCurrentPage(1);
  }
  const toggle = (id: number) => setPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]);
  return (
    <>
      <input aria-label="Find" onChange={({ target }) => find(target.value)} />
      <button type="button" onClick={() => setSorters([{ field: "city", order: "desc" }])}>
        Sort by city
      </button>
      <button type="button" onClick={() => onOpen("new")}>
        New
      </button>
      <button type="button" onClick={() => updateMany({ ...many, values: { city: "Bremen" } })}>
        Move to Bremen
      </button>
      <button type="button" onClick={() => deleteMany(many, { onSuccess: () => setPicked([]) })}>
        Delete picked
      </button>
      <p>
        {result.total} customers, page {currentPage} of {pageCount}
      </p>
      <button type="button" onClick={() => setCurrentPage(pageCount)}>
        Last page
      </button>
      <table>
        <tbody>
          {result.data.map(({ id, name, city }) => (
            <tr key={id}>
              <td>
                <input type="checkbox" aria-label={`Pick ${name}`} checked={picked.includes(id)} onChange={() => toggle(id)} />
              </td>
              <th scope="row">
                <button type="button" onClick={() => onOpen(id)}>
                  {name}
                </button>
              </th>
              <td>{city}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function CustomerForm({ id, onDone }: { id: number | "new"; onDone: () => void }) {
  const isNew = id === "new";
  const { result: seen } = useOne<Customer>({ resource: "customers", id: isNew ? "" : id, queryOptions: { enabled: !isNew } });
  const [problems, setProblems] = useState<Record<string, unknown>>({});
  const onEnd = { onSuccess: onDone, onError: ({ errors, message }: HttpError) => setProblems({ ...errors, message }) };
  const { mutate: create } = useCreate();
  const { mutate: update } = useUpdate();
  const { mutate: remove } = useDelete();
  const one = { resource: "customers", id, meta: { version: seen?.version } };
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget));
    if (isNew) create({ resource: "customers", values }, onEnd);
    else update({ ...one, values }, onEnd);
  }
  if (!isNew && !seen) return null;
  return (
    <form onSubmit={submit}>
      {["name", "accountNumber", "city"].map((name) => (
        <label key={name}>
          {name}
          <input name={name} defaultValue={String(seen?.[name] ?? "")} /> {String(problems[name] ?? "")}
        </label>
      ))}
      <p role="alert">{String(problems.message ?? "")}</p>
      <button type="submit">Save</button>
      {!isNew && (
        <button type="button" onClick={() => remove(one, onEnd)}>
          Delete
        </button>
      )}
    </form>
  );
}

function Orders() {
  const { result } = useTable<BaseRecord>({ resource: "orders", pagination: { pageSize: 10 }, syncWithLocation: false });
  const ids = [...new Set(result.data.map(({ customerId }) => customerId))];
  const { result: parents } = useMany<Customer>({ resource: "customers", ids, queryOptions: { enabled: ids.length > 0 } });
  const { options, onSearch } = useSelect<Customer>({
    resource: "customers",
    optionLabel: "name",
    optionValue: "id",
    onSearch: (value) => [{ field: "name", operator: "startswith", value }],
    debounce: 0,
  });
  const { mutate } = useCreate();
  const [customerId, setCustomerId] = useState("");
  return (
    <>
      <input aria-label="Find customer" onChange={({ target }) => onSearch(target.value)} />
      <select aria-label="Customer" value={customerId} onChange={({ target }) => setCustomerId(target.value)}>
        <option value="">none</option>
        {options.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => mutate({ resource: "orders", values: { orderNumber: "O-9", customerId: Number(customerId) } })}>
        Order
      </button>
      <ul>
        {result.data.map(({ id, orderNumber, customerId }) => (
          <li key={id}>
            {orderNumber}: {parents.data.find((one) => one.id === customerId)?.name}
          </li>
        ))}
      </ul>
    </>
  );
}

function App() {
  const [shown, setShown] = useState<"list" | "orders" | "new" | number>("list");
  return (
    <Refine
      dataProvider={refineProvider(client)}
      resources={[{ name: "customers" }, { name: "orders" }]}
      options={{ disableTelemetry: true, mutationMode: "pessimistic" }}
    >
      <nav>
        <button type="button" onClick={() => setShown("list")}>
          Customers
        </button>
        <button type="button" onClick={() => setShown("orders")}>
          Orders
        </button>
      </nav>
      {shown === "list" ? (
        <Customers onOpen={setShown} />
      ) : shown === "orders" ? (
        <Orders />
      ) : (
        <CustomerForm key={shown} id={shown} onDone={() => setShown("list")} />
      )}
    </Refine>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(<App />);
