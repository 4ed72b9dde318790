// The file by which Apple Pay knows the domain.

import { readFile } from "node:fs/promises";

export const association = "apple-developer-merchantid-domain-association";

const limit = 64 * 1024;
const plain = /^[\x20-\x7e\r\n]+$/;

/** domainFile is its content, null where there is none. One that is not its plain text would be refused. */
export async function domainFile(path) {
  const content = await readFile(path).catch(() => null);
  if (content && (content.length === 0 || content.length > limit || !plain.test(content.toString("latin1")))) {
    throw new Error(`${path}: this is not the file that Apple Pay gives for a domain`);
  }
  return content;
}
