// The rows of what the payer uses elsewhere, each by its type. Nothing here knows a method.

import { useRef } from "preact/hooks";
import { mayOpen } from "../flow/leave";
import { amountAndUnit } from "../texts/amount";
import { formatTime } from "../texts/locales";
import { fill, shownText } from "../texts/lookup";
import type { Texts } from "../texts/texts";
import type { ScreenShown } from "../service/screen";
import { copyText } from "./copy";
import { barcode, qr, type Drawing } from "./draw";
import { scans } from "./lead";
import { networkName } from "./network";
import { pictureOf } from "./picture";
import { savePicture } from "./save";

interface RowsProps {
  show: ScreenShown[];
  first: string; // the id of the row with the filled button, or ""
  texts: Texts;
  copied: string; // the id of what was copied last
  onCopied(id: string, done: boolean): void;
}

type RowProps = Omit<RowsProps, "show"> & { one: ScreenShown };

/**
 * Rows shows the amount that is due above everything else, then over which network coins have to go, what is scanned,
 * what is copied, and links at the end. The link or the copying that leads stands before what is scanned.
 */
export function Rows({ show: all, ...props }: RowsProps) {
  const { first, texts } = props;
  const rate = all.find(({ id }) => id === "exchange_rate");
  const show = all.filter((one) => one !== rate);
  const lead = show.find(({ id }) => id === "amount_missing") ?? show.find(({ type }) => type === "amount");
  const links = show.filter(({ type, value }) => type === "link" && mayOpen(value));
  const pictures = show.filter(scans);
  const network = show.find(({ id }) => id === "crypto_network");
  const said = [lead, network, ...links, ...pictures]; // in a place of its own
  const rest = show.filter((one) => !said.includes(one) && !(lead?.currency && one.id === "crypto_coin"));
  // Of an amount that has arrived in part, the whole is not to be sent.
  const partly = lead?.id === "amount_missing";
  const labelOf = ({ id }: ScreenShown) => (partly && id === "crypto_amount" ? "amount_due" : id);
  // A number to choose is drawn large, a provider's sentence is not.
  const only = rest.length === 1 && !lead ? rest[0] : undefined;
  const alone = only?.type === "text" && only.id !== "provider_message";
  const slip = all.some(({ id }) => id === "voucher_number"); // which the link leads to
  const saysOf = ({ id }: ScreenShown) => (slip && id === "app_link" ? "open_slip" : id);
  const linksOf = (some: ScreenShown[]) =>
    some.map((one) => <Link key={one.id} one={one} says={saysOf(one)} {...props} />);
  return (
    <>
      {lead && <Row one={lead} {...props} lead />}
      {lead && rate && <p class="rate">{rateText(rate, show, texts)}</p>}
      {network && (
        <dl>
          <Row one={network} {...props} inList />
        </dl>
      )}
      <Warning show={show} texts={texts} />
      {linksOf(links.filter(({ id }) => id === first))}
      {pictures.map((one) => (
        <Picture key={one.id} one={one} links={links} written={rest.some((other) => says(one, other))} {...props} />
      ))}
      {rest.length > 0 && (
        <dl>
          {rest.map((one) => (
            <Row key={one.id} one={one} label={labelOf(one)} lead={alone} {...props} inList />
          ))}
        </dl>
      )}
      {linksOf(links.filter(({ id }) => id !== first))}
    </>
  );
}

// What a picture has in it is written and copied once: in a row of its own, where there is one.
function says(picture: ScreenShown, row: ScreenShown): boolean {
  const value = row.value.replace(/\s/g, "");
  return row.type === "copy" && value !== "" && picture.value.includes(value);
}

type LinkProps = Pick<RowProps, "one" | "first" | "texts"> & { as?: string; says: string };

// A page is opened beside this one, which goes on by itself; an app is opened over it, also from a frame.
function Link({ one: { id, value }, as = id, says, first, texts }: LinkProps) {
  return (
    <a
      id={as}
      class={id === first ? "primary" : "quiet"}
      href={value}
      rel="noopener noreferrer"
      target={value.startsWith("http") ? "_blank" : "_top"}
    >
      {shownText(texts, says)}
    </a>
  );
}

// What one coin costs.
function rateText({ id, value, currency = "" }: ScreenShown, show: ScreenShown[], texts: Texts): string {
  const coin = show.find((one) => one.id === "crypto_amount")?.currency;
  const price = amountAndUnit(value, currency, texts.tag).join(" ").trim();
  return `${shownText(texts, id)}: \u2066${coin ? `1 ${coin} = ` : ""}${price}\u2069`;
}

function Row({ one, label, lead, inList, ...props }: RowProps & { label?: string; lead?: boolean; inList?: boolean }) {
  const { texts, copied, onCopied } = props;
  const value = useRef<HTMLElement>(null);
  const copies = one.type === "copy" || (one.type === "amount" && lead); // of several amounts one is to be paid
  const [text, unit] =
    one.type === "amount" ? amountAndUnit(one.value, one.currency ?? "", texts.tag) : [textOf(one, texts), ""];
  const [Term, Value] = inList ? (["dt", "dd"] as const) : (["p", "div"] as const);
  const copy = async () => {
    if (value.current) onCopied(one.id, await copyText(value.current, navigator.clipboard, one.value));
  };
  return (
    <div class={lead ? "row lead" : "row"}>
      <Term class="term">{shownText(texts, label ?? one.id)}</Term>
      <Value class="value">
        <span>
          <bdi id={one.id} ref={value} dir={one.type === "text" || one.type === "deadline" ? "auto" : "ltr"}>
            {text}
          </bdi>
          {unit && " " + unit}
        </span>
        {copies && <Copy id={one.id} copied={copied} texts={texts} onCopy={copy} />}
      </Value>
    </div>
  );
}

type CopyProps = { id: string; first?: string; code?: boolean; copied: string; texts: Texts; onCopy(): Promise<void> };

// A QR code is a picture: copied is the code to pay with that is in it.
function Copy({ id, first, code, copied, texts, onCopy }: CopyProps) {
  return (
    <span aria-live="off">
      {/* Its own words are no news. */}
      <button id={id + "-copy"} type="button" class={id === first ? "primary" : "copy"} onClick={() => void onCopy()}>
        <span>
          {copied === id ? texts.copied : code ? texts.copy_code : texts.copy}
          {!code && <span class={id === first ? "" : "unseen"}>: {shownText(texts, id)}</span>}
        </span>
      </button>
    </span>
  );
}

function textOf({ id, type, value }: ScreenShown, texts: Texts): string {
  if (type === "deadline") return formatTime(value, texts.tag);
  return id === "crypto_network" ? networkName(value) : value;
}

// What is scanned is black on white in every scheme.
function Picture({ one, links, written, ...props }: RowProps & { links: ScreenShown[]; written: boolean }) {
  const { id, type, value } = one;
  const { first, texts, copied, onCopied } = props;
  const text = useRef<HTMLElement>(null);
  const label = shownText(texts, id);
  const copy = async () => {
    if (text.current) onCopied(id, await copyText(text.current, navigator.clipboard));
  };
  const leads = id === first;
  const isQR = type === "qr";
  const opens = isQR && links.length === 0 && mayOpen(value) && (
    <Link one={one} as={id + "-open"} says="app_link" {...props} />
  );
  const drawing = type === "image" ? null : drawingOf(type, value);
  const copies = (
    <Copy id={id} first={opens ? "" : first} code={isQR} copied={copied} texts={texts} onCopy={copy} />
  );
  return (
    <figure class={type}>
      {leads && (opens || copies)}
      {type === "image" ? <Png value={value} label={label} /> : <Code code={drawing} label={label} />}
      {type !== "image" && (!written || (leads && !opens)) && (
        <figcaption>
          <bdi id={id} ref={text} dir="ltr">
            {value}
          </bdi>
          {(!leads || opens) && copies}
        </figcaption>
      )}
      {!leads && opens}
      {drawing && (
        <button id={id + "-save"} type="button" class="quiet" onClick={() => savePicture(id + ".png", drawing)}>
          {texts.save_picture}
        </button>
      )}
    </figure>
  );
}

/** PageCode is the address of this page, for a phone to scan. */
export function PageCode({ page, label }: { page: string; label: string }) {
  return (
    <figure class="qr">
      <Code code={drawingOf("qr", page)} label={label} />
    </figure>
  );
}

// What can't be drawn, as it is too long, is still there as a text.
function drawingOf(type: string, value: string): Drawing | null {
  try {
    return type === "qr" ? qr(value) : barcode(value);
  } catch {
    return null;
  }
}

function Code({ code, label }: { code: Drawing | null; label: string }) {
  return code ? (
    <svg role="img" aria-label={label} viewBox={`0 0 ${code.width} ${code.height}`} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${code.width}v${code.height}h-${code.width}z`} />
      <path fill="#000" d={code.path} />
    </svg>
  ) : null;
}

function Png({ value, label }: { value: string; label: string }) {
  const picture = pictureOf(value);
  return picture ? <img src={picture.src} width={picture.width} height={picture.height} alt={label} /> : null;
}

// Coins that are sent over another network are lost, and what the network takes is missing.
function Warning({ show, texts }: { show: ScreenShown[]; texts: Texts }) {
  const value = (id: string) => show.find((one) => one.id === id)?.value;
  const network = value("crypto_network");
  const coin = value("crypto_coin") ?? show.find(({ type, currency }) => type === "amount" && currency)?.currency;
  if (!network || !coin) return null;
  return (
    <p class="warning">
      {fill(texts.network_warning, { coin, network: networkName(network) })} {texts.network_fees}
    </p>
  );
}
