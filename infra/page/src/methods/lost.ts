// The operator's own marks whose pictures can't be loaded: without their rules, what these hide is shown.

const mark = /\/logos\/(n|m)\w+\/(\w+)-[0-9a-f]{8}\.\w+$/;

/** watchMarks tries the pictures that the page has loaded by its style sheet, or has tried to. */
export function watchMarks(sheet: CSSStyleSheet): void {
  const tried = new Set<string>();
  const look = (list: PerformanceObserverEntryList) => {
    for (const { name } of list.getEntries()) {
      const [, group, id] = mark.exec(name) ?? [];
      if (!id || tried.has(name)) continue;
      tried.add(name);
      const picture = new Image();
      picture.onerror = () => drop(sheet, new RegExp(`\\.${group}-${id}\\b`));
      picture.src = name;
    }
  };
  new PerformanceObserver(look).observe({ type: "resource", buffered: true });
}

function drop(sheet: CSSStyleSheet, of: RegExp): void {
  for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
    if (of.test((sheet.cssRules[at] as CSSStyleRule).selectorText)) sheet.deleteRule(at);
  }
}
