import { act, createEvent, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { describe, expect, onTestFinished, test } from "vitest";
import { Link } from "./link.tsx";
import { ROUTES, type RoutePath } from "./paths.ts";
import { createRouter, type Page, type Router } from "./router.ts";
import { Outlet, RouterProvider, useLocation, useParams, useSearch } from "./router-context.tsx";
import { useBlocker } from "./use-blocker.ts";

const setUrl = (path: string) =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`http://app.test${path}`);
const address = () => location.pathname + location.search;
const text = () => screen.getByRole("main").textContent;

function Shown() {
  return (
    <main>
      {JSON.stringify(useParams())} {JSON.stringify(useSearch())}
    </main>
  );
}

/** Links to what the tests visit, and the page. */
function Frame({ children }: { children?: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <>
      <output>{pathname}</output>
      <Link to="/uploads" current="section">
        Uploads
      </Link>
      <Link to="/$collection" params={{ collection: "customers" }} search={{ q: "a b" }} current="search">
        View
      </Link>
      <Link to="/settings" current="page">
        Settings
      </Link>
      <Link to="/about" onClick={(event) => event.preventDefault()}>
        Handled
      </Link>
      {children}
      <Outlet />
    </>
  );
}

interface Given {
  pages?: Partial<Record<RoutePath, Page>>;
  basePath?: string;
  guard?: ReactNode;
}

function open(path: string, { pages = {}, basePath = "/", guard }: Given = {}): Router {
  setUrl(path);
  history.replaceState(null, "");
  const router = createRouter({
    basePath,
    pages: { ...(Object.fromEntries(ROUTES.map((route) => [route, Shown])) as unknown as Record<RoutePath, Page>), ...pages },
    notFoundPage: () => <main>Nothing here</main>,
    errorPage: ({ error, reset }) => (
      <main>
        {(error as Error).message}
        <button type="button" onClick={reset}>
          Again
        </button>
      </main>
    ),
  });
  onTestFinished(() => router.history.destroy());
  render(
    <RouterProvider router={router}>
      <Frame>{guard}</Frame>
    </RouterProvider>,
  );
  return router;
}

describe("an address", () => {
  test("shows its page with its parameters, below any base path", () => {
    open("/intake/customers/7?q=0071", { basePath: "/intake/" });
    expect(text()).toBe('{"collection":"customers","id":"7"} {"q":"0071"}');
    expect(screen.getByRole("link", { name: "Uploads" }).getAttribute("href")).toBe("/intake/uploads");
  });

  test("that an older link spells otherwise is written as the app writes it", async () => {
    open("/customers/?q=a%20b&q=c%20d");
    await waitFor(() => expect(address()).toBe("/customers?q=c+d"));
    expect(text()).toContain('{"q":"c d"}');
  });

  test("that no route matches shows that nothing is there, and leads away", async () => {
    open("/customers/7/8");
    expect(text()).toBe("Nothing here");
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    expect(text()).toBe("{} {}");
  });
});

describe("a link", () => {
  test("navigates without loading the page anew", async () => {
    open("/settings");
    await userEvent.click(screen.getByRole("link", { name: "View" }));
    expect(text()).toBe('{"collection":"customers"} {"q":"a b"}');
    expect(address()).toBe("/customers?q=a+b");
  });

  test.each([
    ["ctrlKey", { ctrlKey: true }],
    ["metaKey", { metaKey: true }],
    ["shiftKey", { shiftKey: true }],
    ["altKey", { altKey: true }],
    ["the middle button", { button: 1 }],
  ])("clicked with %s is left to the browser", (_, init) => {
    open("/settings");
    const link = screen.getByRole("link", { name: "Uploads" });
    link.removeAttribute("href"); // so that the test's browser opens no tab
    const click = createEvent.click(link, init);
    fireEvent(link, click);
    expect(click.defaultPrevented).toBe(false);
    expect(screen.getByRole("status").textContent).toBe("/settings");
  });

  test("whose click is handled already does not navigate", async () => {
    open("/settings");
    await userEvent.click(screen.getByRole("link", { name: "Handled" }));
    expect(address()).toBe("/settings");
  });

  test.each([
    ["/uploads", ["Uploads"]],
    ["/uploads/7", ["Uploads"]],
    ["/uploadsmore", []],
    ["/settings", ["Settings"]],
    ["/settings/keys", []],
    ["/customers?q=a+b", ["View"]],
    ["/customers", []],
  ])("at %s is marked as the current one: %j", (path, names) => {
    open(path);
    const marked = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
    expect(marked.map((link) => link.textContent)).toEqual(names);
  });

  test("fetches the code of its page when it has the focus", async () => {
    let fetched = 0;
    const preload = async () => void fetched++;
    open("/settings", { pages: { "/uploads": Object.assign(() => <main>Lazy</main>, { preload }) } });
    act(() => screen.getByRole("link", { name: "Uploads" }).focus());
    await waitFor(() => expect(fetched).toBe(1));
  });
});

describe("a page whose code is still on its way", () => {
  function openLazy() {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const router = open("/settings", { pages: { "/uploads": Object.assign(() => <main>Lazy</main>, { preload: () => arrived }) } });
    return { router, arrive: () => act(async () => arrive()) };
  }

  test("leaves the page before it in its place, while the address is the new one", async () => {
    const { arrive } = openLazy();
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    expect(text()).toBe("{} {}");
    expect(address()).toBe("/uploads");
    expect(screen.getByRole("status").textContent).toBe("/uploads");
    await arrive();
    expect(text()).toBe("Lazy");
  });

  test("is not shown any more when the user has gone on", async () => {
    const { arrive } = openLazy();
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    await userEvent.click(screen.getByRole("link", { name: "View" }));
    await arrive();
    expect(text()).toContain("customers");
    expect(address()).toBe("/customers?q=a+b");
  });

  test("lets navigate() wait until it is shown", async () => {
    const { router, arrive } = openLazy();
    let isDone = false;
    act(() => void router.navigate({ to: "/uploads" }).then(() => (isDone = true)));
    await act(async () => {});
    expect(isDone).toBe(false);
    await arrive();
    expect(isDone).toBe(true);
  });
});

test("an error replaces only the page, until it is drawn again or the user goes elsewhere", async () => {
  let isBroken = true;
  const Broken = () => {
    if (isBroken) throw new Error("It broke");
    return <main>Mended</main>;
  };
  open("/uploads", { pages: { "/uploads": Broken } });
  expect(text()).toContain("It broke");
  await userEvent.click(screen.getByRole("link", { name: "Settings" }));
  expect(text()).toBe("{} {}");
  await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
  isBroken = false;
  await userEvent.click(screen.getByRole("button", { name: "Again" }));
  expect(text()).toBe("Mended");
});

test("search parameters that stay the same are the same object", async () => {
  const router = open("/customers?q=a");
  const before = router.shown().search;
  await act(() => router.navigate({ to: "/$collection/$id", params: { collection: "customers", id: "1" }, search: { q: "a" } }));
  expect(router.shown().search).toBe(before);
});

describe("a blocker", () => {
  function Guard({ isBlocked }: { isBlocked: () => boolean }) {
    const [answer, setAnswer] = useState<(mayLeave: boolean) => void>();
    useBlocker(isBlocked, () => new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => setAnswer(undefined)));
    return (
      answer && (
        <>
          <button type="button" onClick={() => answer(true)}>
            Leave
          </button>
          <button type="button" onClick={() => answer(false)}>
            Stay
          </button>
        </>
      )
    );
  }
  const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

  test("asks before a link is followed: Stay keeps the address, Leave goes on", async () => {
    open("/settings", { guard: <Guard isBlocked={() => true} /> });
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    await press("Stay");
    await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
    expect(address()).toBe("/settings");
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    await press("Leave");
    await waitFor(() => expect(address()).toBe("/uploads"));
  });

  test("asks nothing while there is nothing to lose, and sees the newest state", async () => {
    let isBlocked = false;
    open("/settings", { guard: <Guard isBlocked={() => isBlocked} /> });
    await userEvent.click(screen.getByRole("link", { name: "Uploads" }));
    expect(address()).toBe("/uploads");
    isBlocked = true;
    await userEvent.click(screen.getByRole("link", { name: "Settings" }));
    await screen.findByRole("button", { name: "Stay" });
    expect(address()).toBe("/uploads");
  });

  test("makes the browser ask before the tab is closed", () => {
    let isBlocked = true;
    open("/settings", { guard: <Guard isBlocked={() => isBlocked} /> });
    const close = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(close()).toBe(true);
    isBlocked = false;
    expect(close()).toBe(false);
  });
});
