// Data that the page fetches from where its script is, with its integrity.

const loadWithin = 8_000;

/** fetchFile fetches a file of build/files.mjs, which makes its name of its hash in the same way. */
export async function fetchFile<T>(file: string, sum: string): Promise<T> {
  const name = `${file}-${sum.slice(0, 8).replace(/\W/g, "0")}.json`;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), loadWithin);
  try {
    const response = await fetch(name, {
      integrity: "sha256-" + sum,
      credentials: "omit",
      redirect: "error",
      signal: stop.signal,
    });
    return (await response.json()) as T;
  } finally {
    clearTimeout(timer);
  }
}
