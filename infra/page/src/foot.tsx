// Who the payment is handled for, and what the payer may want to read about it.

import { mayGo } from "./leave";
import type { Screen } from "./screen";
import { fill, type Texts } from "./texts";

export function Foot({ screen, texts }: { screen: Screen; texts: Texts }) {
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
    </footer>
  );
}
