// Runs inventory.test.mjs, build/*.test.mjs, src/**/*.test.ts and admin/*.test.ts with node's own test runner, those in
// TypeScript bundled into a folder that is removed again.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL(".", import.meta.url));
const testsOf = (folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`);
const tests = ["src", "admin"].flatMap(testsOf).filter((name) => name.endsWith(".test.ts"));
// A browser without a locale, whatever the machine's is: a test names the locales that it means.
const noRegion = 'Object.defineProperty(globalThis, "navigator", { value: { languages: [] }, configurable: true });';
const folder = mkdtempSync(join(tmpdir(), "page-test-"));
try {
  buildSync({
    absWorkingDir: root,
    entryPoints: tests,
    outbase: ".",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    sourcemap: "inline",
    banner: { js: noRegion },
  });
  const own = ["inventory.test.mjs", ...testsOf("build").filter((name) => name.endsWith(".test.mjs"))];
  const bundled = tests.map((name) => join(folder, name.replace(/ts$/, "mjs")));
  const options = ["--enable-source-maps", "--test", ...own.map((name) => join(root, name)), ...bundled];
  process.exitCode = spawnSync(process.execPath, options, { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
