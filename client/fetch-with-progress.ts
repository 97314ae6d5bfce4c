// A fetch of a browser that tells how much of the body has left. Only XMLHttpRequest says so: fetch has no such event.

/**
 * Does as `fetch` with a body in memory, and calls `onSent` with the bytes that have left so far. Where there is no XMLHttpRequest, as in
 * Node.js, nobody is told. A redirect is an error, as `redirect: "manual"` has it for scripts, but the browser has followed it by then: a page
 * keeps it within its own service by the `connect-src` of its Content-Security-Policy. Cookies of the page's own origin are sent along.
 */
export function fetchWithProgress(onSent: (bytes: number) => void): typeof fetch {
  if (typeof XMLHttpRequest === "undefined") return fetch;
  return (address, { method = "GET", headers, body, signal, credentials } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      const url = new URL(String(address), location.href).href;
      request.open(method, url);
      request.withCredentials = credentials === "include";
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      const abort = () => request.abort();
      signal?.addEventListener("abort", abort);
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onload = () => resolve(request.responseURL === url ? answerOf(request) : Response.error());
      request.onerror = () => reject(new TypeError("The connection failed."));
      request.onabort = () => reject(signal?.reason);
      request.onloadend = () => signal?.removeEventListener("abort", abort);
      request.send(body as XMLHttpRequestBodyInit);
    });
}

const WITHOUT_BODY = [204, 205, 304]; // statuses with which a Response may have none (Fetch standard)

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().split("\r\n").filter(Boolean);
  const headers = new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
  return new Response(WITHOUT_BODY.includes(request.status) ? null : request.responseText, { status: request.status, headers });
}
