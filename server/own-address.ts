// Says at which address people open the service on its machine.

export interface OwnAddress {
  url: string;
  /** It listens on every address of the machine, so that others reach it under another name. */
  isEverywhere: boolean;
}

const EVERYWHERE = ["0.0.0.0", "::"];

/** `host` is as HOST has it, `address` and `port` are as the server says once it listens. */
export function ownAddress(host: string, { address, port }: { address: string; port: number }): OwnAddress {
  const isEverywhere = EVERYWHERE.includes(address);
  const name = isEverywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, isEverywhere };
}
