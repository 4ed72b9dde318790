import assert from "node:assert/strict";
import test from "node:test";
import type { Answer } from "../service/api";
import type { Screen } from "../service/screen";
import { formatDay, languageOf, locales } from ".";
import { catalogues } from "./catalogues";
import { inLanguage } from "./load";

test("the session's language goes before the browser's, and that before the merchant's", () => {
  const rows: [named: string | null, preferred: string[], merchants: string, language: string][] = [
    ["de", ["fr-FR"], "en", "de"],
    [null, ["fr-CA", "en"], "de", "fr"],
    [null, ["tlh", "es-419"], "de", "es"],
    [null, ["tlh"], "de", "de"],
    [null, [], "en", "en"],
    [null, ["en-GB", "de"], "fr", "en"],
    [null, ["uk"], "en", "ua"],
    [null, ["uk-UA"], "en", "ua"],
    [null, ["ua"], "en", "en"],
    [null, ["nb-NO"], "en", "no"],
    [null, ["nn"], "en", "no"],
    [null, ["no"], "en", "no"],
    [null, ["zh-CN"], "en", "zh"],
    [null, ["zh"], "en", "zh"],
    [null, ["zh-Hans-TW"], "en", "zh"],
    [null, ["zh-TW"], "en", "zho"],
    [null, ["zh-Hant-HK"], "en", "zho"],
    [null, ["KK"], "en", "kk"],
    [null, ["constructor"], "en", "en"],
  ];
  for (const [named, preferred, merchants, language] of rows) {
    const screen: Screen = {
      kind: "wait",
      language: named ?? merchants,
      ...(named === null && { browser_language: true }),
    };
    assert.equal(languageOf(screen, preferred, "?session=s"), language, `${named} ${preferred}`);
  }
  assert.equal(languageOf(null, ["ar"], "?session=s"), "ar");
  assert.equal(languageOf(null, ["tlh"], "?session=s"), "en");
  for (const [address, language] of [
    ["?session=s&language=de", "de"],
    ["?session=s&language=tlh", "ar"],
    ["", "ar"],
  ] as const) {
    assert.equal(languageOf(null, ["ar"], address), language, address);
    assert.equal(languageOf({ kind: "form", language: "fr" }, ["ar"], address), "fr", address);
  }
});

test("every language has a tag that browsers know it by", () => {
  for (const [language, { tag }] of Object.entries(catalogues)) {
    assert.equal(languageOf(null, [tag], ""), language);
    assert.deepEqual(Intl.getCanonicalLocales(tag), [tag]);
  }
});

test("texts are fetched beside the question, again only in another language; an answer waits for them", async () => {
  const told: string[] = [];
  let loaded = () => {};
  const load = (language: string, screen: Screen | null) => {
    assert.equal(screen?.language ?? "de", language);
    told.push(language);
    return language === "ar"
      ? new Promise<boolean>((resolve) => (loaded = () => resolve(true)))
      : Promise.resolve(true);
  };
  const answers: Answer[] = [{ kind: "screen", screen: { kind: "wait", language: "ar" } }, { kind: "unknown" }];
  const question = async (): Promise<Answer> => (told.push("asked"), answers.shift()!);
  const ask = inLanguage(question, load, (screen) => screen?.language ?? "de");
  let answered = false;
  const first = ask("/").then(() => (answered = true));
  await new Promise(setImmediate);
  assert.deepEqual(told, ["asked", "de", "ar"]);
  assert.equal(answered, false);
  loaded();
  await first;
  assert.equal((await ask("/")).kind, "unknown");
  assert.deepEqual(told.slice(3), ["asked", "de", "de"]);
  const without = inLanguage(async () => ({ kind: "unknown" }), async () => false, () => "de");
  assert.deepEqual(await without("/"), { kind: "nothing" }, "an answer without any texts can't be shown");
});

test("days and numbers where browsers have no data", () => {
  const days = ["kk", "az", "nb", "zh-Hant"].map((tag) => formatDay("2026-04-01", tag));
  assert.deepEqual(days, ["01.04.2026", "01.04.2026", "1. april 2026", "2026年4月1日"]);
  assert.deepEqual(
    ["kk", "az"].map((tag) => new Intl.NumberFormat(locales(tag)).format(1234567.5)),
    ["1\u00a0234\u00a0567,5", "1.234.567,5"],
  );
});

test("the region is that of the browser's first locale of the page's language, else of its first one", () => {
  const rows: [browser: string[], tag: string, locale: string][] = [
    [["es-MX", "es"], "es", "es-MX"],
    [["en-US", "es-AR", "es-ES"], "es", "es-AR"],
    [["fr-CA"], "en", "en-CA"],
    [["en-IN", "hi-IN"], "de", "de-IN"],
    [["es-419"], "es", "es-419"],
    [["de-CH-1996"], "de", "de-CH"],
    [["de", "de-CH"], "de", "de"], // the first one counts, also without a region
    [["tlh", "de-CH"], "en", "en"],
    [["nn-NO"], "nb", "nb-NO"],
    [["zh-HK"], "zh-Hant", "zh-Hant-HK"],
    [["zh-SG"], "zh-Hans", "zh-Hans-SG"],
    [["zh-TW"], "zh-Hans", "zh-Hans-TW"], // chosen: the browser's Chinese is the other one
    [["ar-EG"], "ar", "ar-EG-u-nu-latn"],
    [["kk-KZ"], "kk", "ru-KZ"],
    [["az-AZ"], "az", "de-AZ"],
    [["en_US"], "en", "en"],
    [[], "uk", "uk"],
  ];
  for (const [browser, tag, locale] of rows)
    assert.deepEqual(locales(tag, browser), [locale, "en"], `${browser} ${tag}`);
});
