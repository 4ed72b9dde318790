// What later scripts have of the page: its code and what it knows are there once.

import { join, relative } from "node:path";
import { here } from "./files.mjs";

// The names that the page's script gives, by module.
const shared = {
  preact: ["Fragment"],
  "preact/hooks": ["useEffect", "useLayoutEffect", "useRef", "useState"],
  "preact/jsx-runtime": ["Fragment", "jsx", "jsxs"],
  "src/texts/lookup": ["fieldText", "fill", "methodText", "shownText", "textOf", "walletText"],
  "src/texts/amount": ["amountAndUnit", "formatAmount"],
  "src/texts/locales": ["formatTime", "formatUnits", "formOf", "locales"],
  "src/service/drawn": ["useDrawn"],
  "src/flow/leave": ["mayGo", "mayOpen"],
  "src/look/focus": ["useFocusBack"],
  "src/look/icons": ["Drawing", "Icon"],
  "src/look/message": ["messageOf", "tone"],
  "src/fields/card": [
    "brandNames",
    "brandOf",
    "codeLength",
    "digitsOf",
    "formatExpiry",
    "formatNumber",
    "isFar",
    "parseExpiry",
    "validNumber",
  ],
  "src/fields/caret": ["write"],
  "src/fields/check": ["lengthOf", "masked", "mostOf", "plain"],
  "src/fields/fields": ["Fields", "formID"],
  "src/fields/places": ["addresses"],
  "src/fields/values": ["valueOf", "without"],
};
const also = { "src/texts/index": ["src/texts/lookup", "src/texts/locales"] }; // a module that only passes on

const all = Object.entries(shared).flatMap(([module, names]) => names.map((name) => [module, name]));
const placeOf = (module, name) => all.findIndex(([of, one]) => of === module && one === name);

/** given is the source of the module of the page's script that gives all of it. */
export function given() {
  const from = (module) => module.replace(/^src\//, "./");
  const imports = all.map(([module, name], i) => `import { ${name} as _${i} } from "${from(module)}";`);
  return `${imports.join("\n")}\nglobalThis.checkoutShared = [${all.map((_, i) => "_" + i)}];\n`;
}

// taken is the source of a module in a later script, passed that of one that only passes on.
const taken = (module) =>
  shared[module].map((name) => `export const ${name} = checkoutShared[${placeOf(module, name)}];`).join("\n");
const passed = (module) => also[module].map((from) => `export * from ${JSON.stringify("shared:" + from)};`).join("\n");

/** sharing is the plugin of later scripts that takes those modules from the page. */
export const sharing = {
  name: "sharing",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(\.|preact)/ }, ({ path, resolveDir }) => {
      const module = path.startsWith(".") ? relative(here("."), join(resolveDir, path)) : path;
      const known = (name) => Object.hasOwn(shared, name) || Object.hasOwn(also, name);
      const found = [module, module + "/index"].find(known);
      return found && { path: found, namespace: "shared" };
    });
    onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice("shared:".length), namespace: "shared" }));
    onLoad({ filter: /./, namespace: "shared" }, ({ path }) => ({
      contents: Object.hasOwn(also, path) ? passed(path) : taken(path),
    }));
  },
};
