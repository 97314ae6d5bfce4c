# A client of the Intake REST interface for Python 3.9 and later. It needs the standard library and nothing else.
"""Reads, writes, uploads and follows records.

    from intake import Client

    client = Client("https://intake.example.org/v1", "ink_…")
    customers = client.collection("customers")
    ada = customers.create({"lastName": "Lovelace", "accountID": "0071"})
    ada = customers.update(ada["objectId"], {"lastName": "King"}, version=ada["version"])
    for customer in customers.all({"lastName[prefix]": "Ki"}):
        print(customer["objectId"], customer["lastName"])
"""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

PATIENCE = 120.0  # seconds for which a call is sent again
FIRST_PAUSE = 0.25  # seconds
LONGEST_PAUSE = 30.0  # seconds
REQUEST_LIMIT = 60.0  # seconds without a byte
BATCH = 1_000  # records
MOST_BYTES = 8 * 1024 * 1024  # of a batch
WAIT = 25  # seconds for which the service holds a request until something changes

Record = Mapping[str, Any]


class ApiError(Exception):
    """The service refused the request. Its text is a sentence for people.

    status: the HTTP status; code: a word such as "VALIDATION"; problems: a dict for each field or parameter that is not valid;
    retry_after: seconds, or None; document: the whole answer (RFC 9457).
    """

    def __init__(self, status: int, document: dict, retry_after: float | None) -> None:
        super().__init__(document.get("detail") or document.get("title") or f"The service answered {status}.")
        self.status = status
        self.code: str = document.get("code", "")
        self.problems: list[dict] = document.get("errors", [])
        self.retry_after = retry_after
        self.document = document


class NoReply(Exception):
    """There was no answer. A write may have been carried out."""


class UploadStopped(Exception):
    """An upload could not go on. `start` is the first record without a result, counted from 0."""

    def __init__(self, start: int, cause: Exception) -> None:
        super().__init__(f"The upload stopped at record {start + 1}: {cause}")
        self.start = start


class Client:
    """Sends requests to one service.

    base_url: "https://intake.example.org/v1". key: an API key, or an access token. source: how the history names the way in which
    records come, such as "batch; run=nightly". language: of the service's sentences, such as "de"; English unless given.
    """

    def __init__(self, base_url: str, key: str, source: str | None = None, patience: float = PATIENCE, language: str = "en") -> None:
        self.base_url = base_url.rstrip("/")
        self.patience = patience
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json", "Accept-Language": language}
        if source is not None:
            self._headers["Intake-Source"] = source

    def request(
        self, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        """Sends one request and returns the JSON of its answer; None where there is none. Raises ApiError and NoReply."""
        values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in (query or {}).items() if value is not None}
        address = self.base_url + path + (f"?{urlencode(values)}" if values else "")
        data = body if body is None or isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        sent = {**self._headers, **({} if data is None else {"Content-Type": "application/json"}), **(headers or {})}
        try:
            with urlopen(Request(address, data, sent, method=method), timeout=REQUEST_LIMIT) as reply:
                text = reply.read()
        except HTTPError as error:
            raise _api_error(error) from None
        except (URLError, OSError, HTTPException) as error:
            raise NoReply(f"The service did not answer: {error}") from error
        return json.loads(text) if text else None

    def call(
        self, method: str, path: str, body: Any = None, query: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        """Works as `request`, and sends again what may succeed later, for as long as `patience` says. Every write has an Idempotency-Key."""
        own = {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
        until = time.monotonic() + self.patience
        failures = 0
        while True:
            try:
                return self.request(method, path, body, query, {**own, **(headers or {})})
            except (ApiError, NoReply) as error:
                if not is_passing(error):
                    raise
                growing = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(failures, 8))
                pause = max(getattr(error, "retry_after", None) or 0, growing * (0.5 + random.random() / 2))
                if time.monotonic() + pause > until:
                    raise
                time.sleep(pause)
                failures += 1

    def collection(self, name: str) -> Collection:
        """Returns one collection, by its name in the dictionary."""
        return Collection(self, name)

    def dictionary(self) -> dict:
        """Returns the data dictionary, as far as the key may know it (a Data Package)."""
        return self.call("GET", "/dictionary")

    def search(self, words: str, **query: Any) -> dict:
        """Looks through all collections that the key may read."""
        return self.call("GET", "/search", query={"q": words, **query})

    def read_import(self, id: str) -> dict:
        """Says how far an import is. Its id is that of its run, too."""
        return self.call("GET", f"/runs/{quote(id, safe='')}/import")

    def cancel_import(self, id: str) -> dict:
        """Ends an import. What is stored by then stays, until its run is taken back."""
        return self.call("DELETE", f"/runs/{quote(id, safe='')}/import")

    def until_imported(self, id: str, every: float = 2.0) -> dict:
        """Returns the import once it has ended, however that was. every: seconds between two questions."""
        while True:
            found = self.read_import(id)
            if found["endedAt"] is not None:
                return found
            time.sleep(every)

    def current_cursor(self) -> str:
        """Returns the cursor of this moment. Read it before you read all records: who then follows from it misses nothing."""
        return self.call("GET", "/changes", query={"after": "now", "limit": 1})["next"]

    def changes(self, cursor: str | None = None, collections: Iterable[str] = (), include: Iterable[str] = ()) -> Iterator[dict]:
        """Yields every change in order, without an end. Store the `cursor` of each together with what you do with it.

        include: "record" for the record as it is now, "changes" for what was changed. Raises ApiError with the code CURSOR_EXPIRED
        when changes after the cursor are no longer kept: read all records anew, and follow from `current_cursor`.
        """
        query = {"collection": ",".join(collections) or None, "include": ",".join(include) or None, "limit": 1_000, "wait": WAIT}
        while True:
            page = self.call("GET", "/changes", query={**query, "after": cursor})
            yield from page["changes"]
            cursor = page["next"]


class Collection:
    """Holds the calls of one collection. `id` is the value of its key field, `version` that of the record as you read it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self._path = f"/{quote(name, safe='')}"

    def read(self, id: int) -> dict:
        return self.client.call("GET", self._of(id))

    def create(self, record: Record, **query: Any) -> dict:
        """Stores a record and returns it. `acknowledge`: names of rules that only warn, or "all"."""
        return self.client.call("POST", self._path, record, query)

    def update(self, id: int, fields: Record, version: int | None = None, **query: Any) -> dict:
        """Changes some fields. Raises ApiError with status 412 when the record has another version than `version`."""
        return self.client.call("PATCH", self._of(id), fields, query, _if_match(id, version))

    def delete(self, id: int, version: int | None = None) -> None:
        self.client.call("DELETE", self._of(id), headers=_if_match(id, version))

    def list(self, query: Mapping[str, Any] | None = None) -> dict:
        """Returns one page: the records under the name of the collection, and `next`, which goes into `cursor`."""
        return self.client.call("GET", self._path, query=query)

    def all(self, query: Mapping[str, Any] | None = None) -> Iterator[dict]:
        """Yields every record that the query finds, page by page."""
        cursor = None
        while True:
            page = self.list({"limit": 1_000, **(query or {}), "cursor": cursor})
            yield from page[self.name]
            cursor = page.get("next")
            if cursor is None:
                return

    def summary(self, query: Mapping[str, Any]) -> dict:
        """Counts and sums in groups: {"group": "city", "measure": "count,sum:total"}."""
        return self.client.call("GET", f"{self._path}/summary", query=query)

    def upload(self, records: Iterable[Record], key: str | None = None, batch_size: int = BATCH, **query: Any) -> Iterator[dict]:
        """Writes any number of records, each for itself, and yields a result for each, in order; `index` counts from 0.

        key: a text of your own for this upload, at most 200 characters of ASCII. The same records with the same key again within 24
        hours are stored once, also by a program that begins anew. query: onConflict="update", match=…, acknowledge=…, dryRun=True.
        Raises UploadStopped when the service refuses a batch as a whole, or cannot be reached for the client's patience.
        """
        own = key or str(uuid.uuid4())
        start = 0
        for batch in _in_batches(records, batch_size):
            headers = {"Idempotency-Key": f"{own}:{start}"}
            try:
                reply = self.client.call("POST", self._path, batch, {"onError": "continue", **query}, headers)
            except (ApiError, NoReply) as error:
                raise UploadStopped(start, error) from error
            for result in reply["results"]:
                yield {**result, "index": start + result["index"]}
            start += len(batch)

    def import_file(self, content: bytes, name: str, key: str | None = None, **query: Any) -> dict:
        """Sends a whole file (CSV, xlsx, ods or JSON Lines), which the service reads and stores in the background.

        key: a text of your own for this file: the same file with the same key is one import, also by a program that begins anew.
        query: recipe="…", mode="upsert", matchBy="iban", sheet="…", dryRun=True. `Client.until_imported` tells what became of it.
        """
        headers = {"Content-Type": "application/octet-stream", "Idempotency-Key": key or str(uuid.uuid4())}
        return self.client.call("POST", f"{self._path}/imports", content, {"name": name, **query}, headers)

    def _of(self, id: int) -> str:
        return f"{self._path}/{int(id)}"


def is_passing(error: Exception) -> bool:
    """Says whether the same request may succeed later."""
    if isinstance(error, ApiError):
        return error.status in (408, 425, 429) or error.status >= 500 or error.code == "IDEMPOTENCY_IN_PROGRESS"
    return isinstance(error, NoReply)


def _if_match(id: int, version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{id}-{version}"'}


def _api_error(error: HTTPError) -> ApiError:
    """A proxy may answer something that is no JSON, or end within the body."""
    try:
        document = json.loads(error.read())
    except (ValueError, OSError, HTTPException):
        document = {}
    after = error.headers.get("Retry-After", "")
    return ApiError(error.code, document if isinstance(document, dict) else {}, float(after) if after.isdigit() else None)


def _in_batches(records: Iterable[Record], size: int) -> Iterator[list[Record]]:
    """Yields as many records as `size`, fewer where the body would be too large."""
    batch: list[Record] = []
    length = 0
    for record in records:
        own = len(json.dumps(record, ensure_ascii=False).encode()) + 2
        if batch and (len(batch) == size or length + own + 2 > MOST_BYTES):
            yield batch
            batch, length = [], 0
        batch.append(record)
        length += own
    if batch:
        yield batch
