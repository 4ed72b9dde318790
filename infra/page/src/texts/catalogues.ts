// All catalogues by the codes of checkout_language, for the build and the tests: the page itself has English without the
// names of methods, and fetches the rest. A new language is two files, here and in names, and a row in both lists.

import ar from "./ar";
import az from "./az";
import de from "./de";
import en from "./en";
import es from "./es";
import fr from "./fr";
import kk from "./kk";
import arNames from "./names/ar";
import azNames from "./names/az";
import deNames from "./names/de";
import enNames, { type Names } from "./names/en";
import esNames from "./names/es";
import frNames from "./names/fr";
import kkNames from "./names/kk";
import noNames from "./names/no";
import ruNames from "./names/ru";
import uaNames from "./names/ua";
import zhNames from "./names/zh";
import zhoNames from "./names/zho";
import no from "./no";
import ru from "./ru";
import type { Texts } from "./texts";
import ua from "./ua";
import zh from "./zh";
import zho from "./zho";

export const catalogues: Record<string, Texts> = { en, fr, es, de, kk, ru, ar, zh, az, ua, no, zho };

export const names: Record<string, Names> = {
  en: enNames, fr: frNames, es: esNames, de: deNames, kk: kkNames, ru: ruNames, ar: arNames, zh: zhNames, az: azNames,
  ua: uaNames, no: noNames, zho: zhoNames,
};
