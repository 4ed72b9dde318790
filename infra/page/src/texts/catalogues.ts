// All catalogues by the codes of checkout_language, for the build and the tests: the page itself has English, and
// fetches the others. A new language is a file and a row here.

import ar from "./ar";
import az from "./az";
import de from "./de";
import en from "./en";
import es from "./es";
import fr from "./fr";
import kk from "./kk";
import no from "./no";
import ru from "./ru";
import type { Texts } from "./texts";
import ua from "./ua";
import zh from "./zh";
import zho from "./zho";

const translations: Record<string, Texts> = { fr, es, de, kk, ru, ar, zh, az, ua, no, zho };

export const catalogues: Record<string, Texts> = { en, ...translations };
