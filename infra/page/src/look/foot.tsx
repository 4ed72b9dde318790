// Who the payment is handled for, how to reach them, what the payer may want to read about it, and the language.

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
      {name && <p class="short">{fill(texts.handled_for, { merchant: name })}</p>}
      <Support screen={screen} texts={texts} />
      {links.map(
        ([url, label]) =>
          url &&
          mayGo(url, location.href) && (
            <a key={label} href={url} target="_blank" rel="noopener noreferrer">
              {label}
            </a>
          ),
      )}
      <select
        id="language"
        aria-label={texts.language}
        value={language}
        onChange={(event) => onLanguage(event.currentTarget.value)}
      >
        {languageNames.map(([code, own]) => (
          <option key={code} value={code}>
            {own}
          </option>
        ))}
      </select>
    </footer>
  );
}

/** Support is how the payer reaches the shop, as far as the shop says. */
export function Support({ screen, texts }: Pick<FootProps, "screen" | "texts">) {
  const { merchant = "", branding: { support } = {} } = screen;
  if (!support) return null;
  const { email, phone, address } = support;
  const ways: [text: string | undefined, link?: string][] = [
    [email, "mailto:" + email],
    [phone?.replace(/ /g, "\u00a0"), "tel:" + phone?.replace(/[^+\d]/g, "")],
    [address],
  ];
  return (
    <p class="support">
      <span class="short">{fill(texts.contact, { merchant })}</span>
      {ways.map(
        ([text, href]) =>
          text && (
            <>
              {" "}
              <bdi>{href ? <a href={href}>{text}</a> : text}</bdi>
            </>
          ),
      )}
    </p>
  );
}
