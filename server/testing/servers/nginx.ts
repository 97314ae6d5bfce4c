// nginx where it is installed, with the configurations that the documents show.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const HAS_NGINX = spawnSync("nginx", ["-v"]).status === 0;

/** The first example for nginx of a document. */
export function nginxBlock(document: string): string {
  const [, block = ""] = /^```nginx\n([\s\S]*?)^```$/m.exec(readFileSync(`docs/${document}.md`, "utf8")) ?? [];
  return block;
}

/** Starts nginx as this user, with its files in `folder`. `http`: what stands in the block of that name. Throws what nginx says of a mistake. */
export function startNginx(folder: string, http: string): { stop(): Promise<void> } {
  mkdirSync(join(folder, "logs"), { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const user = process.getuid?.() === 0 ? "user root;" : ""; // its workers would be another user, who may not use the folder
  const config = join(folder, "test.conf");
  writeFileSync(config, `daemon off; ${user} pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off; ${temporary.join(" ")}\n${http}}\n`);
  const args = ["-p", folder, "-e", join(folder, "error.log"), "-c", config];
  const { status, stderr } = spawnSync("nginx", [...args, "-t"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const started = spawn("nginx", args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => started.once("exit", () => resolve()));
  return {
    stop() {
      started.kill("SIGQUIT");
      return ended;
    },
  };
}
