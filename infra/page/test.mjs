// Runs inventory.test.mjs and src/**/*.test.ts with node's own test runner, the latter bundled into a folder that is
// removed again.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const tests = readdirSync(join(root, "src"), { recursive: true }).filter((name) => name.endsWith(".test.ts"));
const folder = mkdtempSync(join(tmpdir(), "page-test-"));
try {
  buildSync({
    absWorkingDir: root,
    entryPoints: tests.map((name) => "src/" + name),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    sourcemap: "inline",
  });
  const files = [join(root, "inventory.test.mjs"), ...tests.map((name) => join(folder, name.replace(/ts$/, "mjs")))];
  process.exitCode = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
