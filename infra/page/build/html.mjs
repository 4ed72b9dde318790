// Pages of HTML, with the names and hashes of what they load.

import { hash } from "./files.mjs";

/**
 * addIndex adds a page, html, with the names and hashes of its script and its style sheet. A style sheet that the page
 * has within it is no file.
 */
export function addIndex(files, html, within = false) {
  const words = {};
  for (const [name, content] of files) {
    const what = name.endsWith(".css") ? "style" : "script";
    words[what] = name;
    words[`${what}-integrity`] = "sha384-" + hash("sha384", content, "base64");
    if (what === "script" || !within) continue;
    words.style = content.toString();
    words["style-integrity"] = "sha256-" + hash("sha256", content, "base64");
    files.delete(name);
  }
  const short = html.replace(/\n +/g, "\n");
  files.set("index.html", Buffer.from(short.replace(/\{([a-z-]+)\}/g, (_, word) => words[word])));
}

/**
 * withTexts is index.html with the first texts of a language and the hashes of its other files as data, which no
 * browser executes.
 */
export function withTexts(index, language, texts, files) {
  const data = JSON.stringify({ texts, files }).replaceAll("<", "\\u003c");
  const block = `<script type="application/json" id="texts-${language}">${data}</script>`;
  const put = (html, mark, text) => {
    if (html.split(mark).length !== 2) throw new Error(`src/index.html has to have ${mark} once`);
    return html.replace(mark, () => text);
  };
  const html = put(index.toString(), '<html lang="en" dir="ltr">', `<html lang="${texts.tag}" dir="${texts.dir}">`);
  return Buffer.from(put(html, "</body>", `${block}\n</body>`));
}
