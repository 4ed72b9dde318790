// Builds dist/: index.html with its style sheet, the same with the first texts of each language (de.html), one script,
// and what is loaded when it is needed: for each language a file of its first texts, for a page that came without them,
// and one of the rest; lists of states and countries, how addresses are written, four scripts, two style sheets. All
// but the pages have their hash in their name and in an integrity attribute or option.
// Fails when a first visit in the heaviest language loads more than the limit, after gzip -9.
// dist/logos/ has the merchants' logos and the operator's own marks of networks and methods: the files of the folder
// that LOGOS names, infra/logos if it names none.
// dist/.well-known/ has the file by which Apple Pay knows the domain, if APPLE_PAY_FILE or infra/wallet has one.
// dist-wallet/ has the frame of Google Pay, a page for another origin: index.html, in which {PAGE_ORIGIN} stands for
// the origin of the page, one script, one style sheet.
// dist-admin/ has the page of operators: index.html, its scripts, of which one is loaded for settings alone, one style
// sheet; they have limits as well.
// release.json has the hashes of what is built, for inventory.mjs and upload-page; a script has to be in scripts.json.

import { readFile, writeFile } from "node:fs/promises";
import { association, domainFile } from "./build/domain.mjs";
import { dataFile, here, licences, sumsOf } from "./build/files.mjs";
import { addIndex, withTexts } from "./build/html.mjs";
import { logos } from "./build/logos.mjs";
import { checkVisit, write } from "./build/output.mjs";
import { evaluate, later, pageScript, rulesOf, styles } from "./build/scripts.mjs";
import { adminPage, walletFrame } from "./build/sites.mjs";
import { languages } from "./build/texts.mjs";
import { approvals, release } from "./inventory.mjs";

const { english, texts, countries } = await languages();
const states = JSON.parse(await readFile(here("../../internal/method/states.json"), "utf8"));
const addresses = JSON.parse(await readFile(here("src/told/addresses.json"), "utf8"));
const words = texts.map(dataFile);
const places = [...countries, ["places-states", states], ["places-addresses", addresses]].map(dataFile);
const index = dataFile(["languages", sumsOf(words)]);

const laterScripts = await scripts();
const placeSums = Object.fromEntries(places.map(({ file, sum }) => [file.replace("places-", ""), sum]));
const { brandNames } = await evaluate('export { brandNames } from "./src/fields/card"');
const methods = JSON.parse(await readFile(here("../methods.json"), "utf8")).map(({ id }) => id);
const pictures = await logos(process.env.LOGOS || here("../logos"), { networks: Object.keys(brandNames), methods });
const known = {
  LANGUAGES_SUM: index.sum,
  PLACE_FILES: placeSums,
  OWN_MARKS: pictures.rules !== "",
  ...laterScripts.known,
};
const files = await pageScript(english, states, known);
const script = [...files].find(([name]) => name.endsWith(".js"))[1];
const sheet = [...files.keys()].find((name) => name.endsWith(".css"));
files.set(sheet, Buffer.concat([files.get(sheet), Buffer.from(pictures.rules)]));
addIndex(files, await readFile(here("src/index.html"), "utf8"), true);

const firsts = texts.filter(([file]) => !file.includes("-"));
const pages = firsts.map(([language, first]) => {
  const own = words.filter(({ file }) => file.startsWith(language + "-"));
  return [language + ".html", withTexts(files.get("index.html"), language, first, sumsOf(own))];
});
const data = [...words, ...places, index].map(({ name, content }) => [name, content]);
const frame = await walletFrame();
const built = release(new Map([...files, ...pages, ...laterScripts.files]), frame, await approvals());

const domain = await domainFile(process.env.APPLE_PAY_FILE || here("../wallet/" + association));
const admin = await adminPage();
const all = [...files, ...pages, ...data, ...laterScripts.files];
await write("dist", [
  ...all,
  ...pictures.files.map(([name, content]) => ["logos/" + name, content]),
  ...(domain ? [[".well-known/" + association, domain]] : []),
  ["licences.txt", await licences("preact", "hpke", "lean-qr")], // which no payer's browser loads
]);
await write("dist-wallet", frame);
await write("dist-admin", admin);
await writeFile(here("release.json"), JSON.stringify(built) + "\n");
checkVisit(all, script, pages, pictures.rules);

// scripts are what is loaded later, and what the page knows of it.
async function scripts() {
  const rows = await later("src/methods/rows.tsx", "checkoutRows", "Lean QR");
  const after = await later("src/form/after.ts", "checkoutAfter", "HPKE", {
    AFTER_RULES: await rulesOf("src/form/after.css"),
    ROWS_FILE: rows.file,
  });
  const walletStyle = await styles("src/wallets/wallet.css");
  const wallet = await later("src/wallets/wallet.ts", "checkoutWallet", "Preact", { WALLET_STYLE: walletStyle.file });
  const testStyle = await styles("src/wallets/testwallet.css");
  const testWallet = await later("src/wallets/testwallet.tsx", "checkoutTestWallet", "Preact", {
    TEST_WALLET_STYLE: testStyle.file,
  });
  return {
    files: [after, rows, wallet, walletStyle, testWallet, testStyle].map(({ name, code }) => [name, code]),
    known: {
      AFTER_FILE: after.file,
      ROWS_FILE: rows.file,
      WALLET_FILE: wallet.file,
      TEST_WALLET_FILE: testWallet.file,
    },
  };
}
