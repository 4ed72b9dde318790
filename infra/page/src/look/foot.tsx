// Who the payment is handled for, what the payer may want to read about it, and the language.

import { mayGo } from "../flow/leave";
import { fill, type Texts } from "../texts";
import { languageNames } from "../texts/language";
import type { Screen } from "../service/screen";

interface FootProps {
  screen: Screen;
  language: string;
  texts: Texts;
  onLanguage(language: string): void;
}

export function Foot({ screen, language, texts, onLanguage }: FootProps) {
  const { branding = {}, merchant } = screen;
  const name = branding.legal_name ?? merchant;
  const links: [string | undefined, string][] = [
    [branding.terms_url, texts.terms],
    [branding.privacy_url, texts.privacy],
  ];
  return (
    <footer>
      {name && <span>{fill(texts.handled_for, { merchant: name })}</span>}
      {links.map(
        ([url, label]) =>
          url &&
          mayGo(url, location.href) && (
            <a key={label} href={url} target="_blank" rel="noopener noreferrer">
              {label}
            </a>
          ),
      )}
      <select id="language" aria-label={texts.language} value={language} onChange={(event) => onLanguage(event.currentTarget.value)}>
        {languageNames.map(([code, own]) => (
          <option key={code} value={code}>
            {own}
          </option>
        ))}
      </select>
    </footer>
  );
}
