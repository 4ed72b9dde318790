// A deadline as an entry for the payer's calendar (RFC 5545).

export interface Entry {
  id: string;
  title: string;
  details: string;
  address: string; // of the page
  at: Date;
  now: Date;
}

/** calendarOf is a file with one entry that reminds a day before its time, or an hour where that is over. */
export function calendarOf({ id, title, details, address, at, now }: Entry): string {
  const day = 86_400_000;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Checkout//Payment//EN",
    "BEGIN:VEVENT",
    "UID:" + escaped(id),
    "DTSTAMP:" + utc(now),
    "DTSTART:" + utc(at),
    "DTEND:" + utc(at),
    "SUMMARY:" + escaped(title),
    "DESCRIPTION:" + escaped(details),
    "URL:" + address,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:" + escaped(title),
    "TRIGGER:" + (at.getTime() - now.getTime() > day ? "-P1D" : "-PT1H"),
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => folded(line) + "\r\n").join("");
}

function utc(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}

function escaped(text: string): string {
  return text.replace(/[\\,;]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

// A line has at most 75 bytes, and no character is divided.
function folded(line: string): string {
  const parts = [""];
  const bytes = new TextEncoder();
  for (const letter of line) {
    if (bytes.encode(parts[parts.length - 1] + letter).length > 74) parts.push("");
    parts[parts.length - 1] += letter;
  }
  return parts.join("\r\n ");
}
