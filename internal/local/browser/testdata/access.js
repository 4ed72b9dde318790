// What tests of the page ask about what is drawn. Each function returns the faults that it finds, as texts.
window.access = (() => {
  const numbers = (text) => text.match(/[\d.]+/g).map(Number);
  const colourOf = (text) => {
    const [r, g, b, a = 1] = numbers(text);
    return [r, g, b, a];
  };

  // What is seen where the colour above lies on the one below.
  const over = ([r, g, b, a], [R, G, B, A]) => {
    const alpha = a + A * (1 - a);
    const mix = (x, X) => (alpha ? (x * a + X * A * (1 - a)) / alpha : 0);
    return [mix(r, R), mix(g, G), mix(b, B), alpha];
  };
  const light = ([r, g, b]) => {
    const linear = (x) => ((x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const ratio = (one, other) => {
    const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
    return (more + 0.05) / (less + 0.05);
  };

  // The fills of an element, from the top: a shadow inside of it, what a pseudo-element fills, its own background.
  const layers = (e) => {
    const css = getComputedStyle(e);
    const before = getComputedStyle(e, "::before");
    const all = [];
    if (css.boxShadow.includes("inset")) all.push(colourOf(css.boxShadow));
    if (!["none", "normal"].includes(before.content) && before.position === "absolute") all.push(colourOf(before.backgroundColor));
    all.push(colourOf(css.backgroundColor));
    return all;
  };

  // The colour that is seen where something of that colour stands in an element. Opacity counts for all in it.
  const seen = (e, top) => {
    for (; e; e = e.parentElement) {
      for (const layer of layers(e)) top = over(top, layer);
      top = [top[0], top[1], top[2], top[3] * getComputedStyle(e).opacity];
    }
    return over(top, matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  };
  const contrast = (e, colour) => ratio(seen(e, colourOf(colour)), seen(e, [0, 0, 0, 0]));

  const isSeen = (e) => e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true }) && !e.closest(".unseen, option");
  const nameOf = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : e.className.baseVal === undefined && e.className ? "." + e.className.replace(/ /g, ".") : "");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(isSeen);
  const controls = () => all("a[href], button, input, select, textarea, summary, [tabindex='0']");

  // Text with 4.5:1, drawings with 3:1, disabled and dimmed ones too.
  const contrasts = (root = document.body) => {
    const faults = [];
    const check = (e, what, colour, least) => {
      const got = contrast(e, colour);
      if (got < least) faults.push(`${what} of ${nameOf(e)}: ${got.toFixed(2)}:1`);
    };
    for (const e of [root, ...root.querySelectorAll("*")].filter(isSeen)) {
      const css = getComputedStyle(e);
      const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
      if (text) check(e, "text " + JSON.stringify(text.slice(0, 30)), css.color, 4.5);
      if (e.matches("select") || (e.matches("input:not([type=radio], [type=checkbox])") && e.value)) check(e, "value", css.color, 4.5);
      if (e.placeholder) check(e, "placeholder", getComputedStyle(e, "::placeholder").color, 4.5);
      if (e.matches("svg.icon")) check(e, "drawing", css.color, 3);
    }
    return faults;
  };

  // A control without text inside of it is told from its surroundings by its border or fill alone.
  const marks = () =>
    controls().flatMap((e) => {
      if (e.matches("[type=radio], [type=checkbox]")) return []; // drawn by the browser
      const box = e.getBoundingClientRect();
      const inside = (r) => r.width > 1 && r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 1 && r.bottom <= box.bottom + 1;
      const label = [...(e.labels ?? [])].some((l) => l.innerText.trim() && inside(l.getBoundingClientRect()));
      if (label || e.innerText?.trim() || e.placeholder || e.value) return [];
      const css = getComputedStyle(e);
      const border = parseFloat(css.borderTopWidth) ? contrast(e.parentElement, css.borderTopColor) : 1;
      const fill = ratio(seen(e, [0, 0, 0, 0]), seen(e.parentElement, [0, 0, 0, 0]));
      return Math.max(border, fill) < 3 ? [`${nameOf(e)} has no mark of 3:1`] : [];
    });

  // A marked cell says so in its label, at once above its field. How the field that has the focus is mended is said in
  // one line right below its box, where there is more to say, and for no other field.
  const faults = () => {
    const found = all("[aria-invalid=true]").flatMap((e) => {
      const cell = e.closest(".cell");
      const label = e.labels[0].getBoundingClientRect();
      const far = Math.max(label.bottom - inner(e).top, inner(e).top - label.bottom);
      const ids = (e.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
      return [
        ...(cell.querySelector("label .icon") && e.labels[0].innerText.trim() ? [] : [nameOf(e) + " has no fault in its cell"]),
        ...(far > 8 ? [`${nameOf(e)} is ${far.toFixed(1)} px from its fault`] : []),
        ...ids.filter((id) => !document.getElementById(id)?.textContent.trim() && !/-brand$/.test(id)).map((id) => id + " says nothing"),
      ];
    });
    const seen = all(".fault");
    const active = document.activeElement;
    const line = document.getElementById(active.id + "-fault");
    const below = seen[0] ? seen[0].getBoundingClientRect().top - active.closest(".box").getBoundingClientRect().bottom : 0;
    if (seen.length !== (line ? 1 : 0) || !(below >= 0 && below <= 8)) found.push(`${seen.length} faults below boxes, ${below} px from the focus`);
    return found;
  };

  // The controls that have a name, and the words that are seen of each: its text, else its label's, else its
  // placeholder. What is drawn has words of its own.
  const named = () => controls().filter((e) => !e.closest("[inert], [tabindex='-1']"));
  const words = () =>
    named().map((e) => {
      const owner = e.matches("input, select, textarea") ? e.labels[0] : e;
      const seen = texts(owner ?? e).flatMap(({ node, owner }) => (owner.closest("svg, [aria-hidden=true]") ? [] : [node.data.trim()]));
      return owner ? seen.join(" ") : e.placeholder ?? "";
    });

  // A box of fields has a border of 3:1.
  const borders = () =>
    all(".box").flatMap((e) => {
      const got = contrast(e.parentElement, getComputedStyle(e).borderTopColor);
      return got < 3 ? [`border of ${nameOf(e)}: ${got.toFixed(2)}:1`] : [];
    });

  // 24 x 24 for everything, 44 for what the payer came for. A label counts as part of its radio button.
  const targets = () =>
    controls().flatMap((e) => {
      const boxes = [e, ...(e.labels ?? [])].filter(isSeen).map((x) => x.getBoundingClientRect());
      const wide = Math.max(...boxes.map((r) => r.width));
      const high = Math.max(...boxes.map((r) => r.height));
      const least = e.matches(".primary, .secondary, .toggle, .more-ways, [type=search], [type=radio]") ? 44 : 24;
      return high < least || wide < least ? [`${nameOf(e)} is ${wide.toFixed(1)} x ${high.toFixed(1)}, less than ${least}`] : [];
    });

  // Every piece of text that is seen, with its places. Lines that a clamped element hides are none.
  const texts = (root = document.body) => {
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
      const owner = node.parentElement;
      if (!node.data.trim() || !isSeen(owner)) continue;
      const css = getComputedStyle(owner);
      const clamped = /\d/.test(css.webkitLineClamp);
      const range = document.createRange();
      range.selectNodeContents(node);
      const end = owner.getBoundingClientRect().bottom - 2;
      const places = [...range.getClientRects()].filter((r) => r.width >= 1 && !(css.overflowY === "hidden" && r.top > end));
      if (places.length) found.push({ node, owner, css, clamped, places, what: JSON.stringify(node.data.slice(0, 40)) });
    }
    return found;
  };

  // Text that leaves the window or its element, or that an element with hidden overflow cuts.
  const leaving = ({ node, owner, css, clamped, places, what }) => {
    const faults = [];
    const box = owner.closest("button, a, label, p, h1, h2, legend, dd, dt");
    const at = css.display !== "inline" && !clamped ? box?.getBoundingClientRect() : undefined;
    for (const r of places) {
      if (r.left < -1 || r.right > innerWidth + 1) faults.push(what + " leaves the window");
      for (let e = owner; e; e = e.parentElement) {
        const { overflowX, webkitLineClamp } = getComputedStyle(e);
        const around = e.getBoundingClientRect();
        if (overflowX !== "visible" && !/\d/.test(webkitLineClamp) && (r.right > around.right + 1 || r.left < around.left - 1)) faults.push(what + " is cut by " + nameOf(e));
      }
      if (at && (r.bottom > at.bottom + 2 || r.right > at.right + 2)) faults.push(what + " leaves " + nameOf(owner));
    }
    if (box?.clientWidth && !box.matches("a") && box.scrollWidth > box.clientWidth + 1) faults.push(what + " is too wide for " + nameOf(box));
    const word = owner.closest("button, a") && !/[\u3000-\u9fff\s]/.test(node.data.trim());
    if (word && places.length > 1) faults.push(what + " is broken");
    return faults;
  };

  // A list or a field that has no room for its text.
  const tight = (e) => {
    const css = getComputedStyle(e);
    if (e.clientHeight < parseFloat(css.fontSize)) return [nameOf(e) + " is too low for its text"];
    if (!e.matches("select")) return [];
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = css.font;
    const room = e.clientWidth - parseFloat(css.paddingLeft) - parseFloat(css.paddingRight);
    const text = e.selectedOptions[0]?.text ?? "";
    return pen.measureText(text).width > room + 1 ? [JSON.stringify(text) + " is cut by its list"] : [];
  };

  // The part of a field that its text is in.
  const inner = (e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    const [l, r, t, b] = ["Left", "Right", "Top", "Bottom"].map((side) => parseFloat(getComputedStyle(e)["padding" + side]));
    return { left: left + l, right: right - r, top: top + t, bottom: bottom - b, height: bottom - b - top - t };
  };

  // Texts and fields that are printed over each other. The bar with Pay lies over what is scrolled below it.
  const onBar = ({ node }) => {
    const bar = (node.closest ? node : node.parentElement).closest(".pay");
    return !!bar && getComputedStyle(bar).position === "sticky";
  };
  const overlaps = (pieces) => {
    const faults = [];
    pieces.forEach((a, i) => {
      for (const b of pieces.slice(i + 1)) {
        const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
        const high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
        if (a.node !== b.node && onBar(a) === onBar(b) && wide > 1 && high > 0.4 * Math.min(a.r.height, b.r.height)) faults.push(a.what + " overlaps " + b.what);
      }
    });
    return faults;
  };

  const cut = () => {
    const found = texts();
    const fields = all("input:not([type=radio], [type=checkbox]), select");
    const pieces = found.flatMap((text) => text.places.map((r) => ({ ...text, r })));
    for (const e of fields) pieces.push({ node: e, r: inner(e), what: nameOf(e) });
    return [...found.flatMap(leaving), ...fields.flatMap(tight), ...overlaps(pieces)];
  };

  // With forced colours a button is told by its fill or by its border.
  const filled = () =>
    all("button, a.primary").flatMap((e) => {
      const css = getComputedStyle(e);
      const ground = seen(e.parentElement, [0, 0, 0, 0]);
      const fill = ratio(seen(e, [0, 0, 0, 0]), ground);
      if (e.matches(".primary") && fill < 3) return [nameOf(e) + " is not filled"];
      return contrast(e, css.color) < 4.5 ? [nameOf(e) + " can't be read"] : [];
    });
  const drawings = () => all("svg, canvas").map((e) => {
    const r = e.getBoundingClientRect();
    return { Name: nameOf(e.parentElement), X: r.x + scrollX, Y: r.y + scrollY, Width: r.width, Height: r.height };
  });

  const structure = () => {
    const faults = [];
    const levels = all("h1, h2, h3, h4, h5, h6").map((e) => Number(e.tagName[1]));
    if (levels.filter((l) => l === 1).length !== 1) faults.push("headings " + levels);
    levels.forEach((l, i) => l > (levels[i - 1] ?? 0) + 1 && faults.push("headings " + levels));
    for (const e of all("input, select, textarea"))
      if (!e.labels.length && !e.getAttribute("aria-label")) faults.push(nameOf(e) + " has no label");
    const { lang, dir } = document.documentElement;
    if (!/^[a-z]{2}(-[A-Z][a-z]{3})?$/.test(lang) || !["ltr", "rtl"].includes(dir)) faults.push(`lang=${lang} dir=${dir}`);
    if (!document.title) faults.push("no title");
    return faults;
  };

  // Controls of a kind look alike.
  const kindOf = (e) => [e.tagName, e.type, e.className, e.disabled, ...[".cell", ".way", ".choice", ".dimmed", ".band", "footer"].map((s) => e.closest(s)?.className)].join(" ");
  const kinds = () => [...new Map(controls().map((e) => [kindOf(e), e])).values()];

  const centre = (e) => {
    e.scrollIntoView({ block: "center" });
    const r = e.getBoundingClientRect();
    return { X: r.x + r.width / 2, Y: r.y + r.height / 2 };
  };

  // The next Tab key goes to the first control.
  const begin = () => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
    return true;
  };

  // Of what has the focus: a name, whether something lies over a part of it, where it is on the page, and half of its
  // circumference.
  const focus = () => {
    const e = document.activeElement;
    if (!e || e === document.body) return { Name: "" };
    const box = e.labels?.[0] && e.matches("[type=radio], [type=checkbox]") ? e.labels[0] : e;
    const r = (e.closest(".cell") ?? box).getBoundingClientRect();
    const spots = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [r.left + r.width * x, r.top + r.height * y]));
    const within = spots.filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
    const free = within.filter(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return hit && (e.contains(hit) || [...(e.labels ?? [])].some((l) => l.contains(hit)) || e.closest(".cell")?.contains(hit));
    });
    return { Name: nameOf(e), Kind: kindOf(e), Hidden: within.length === 0 || free.length < within.length, X: r.x + scrollX, Y: r.y + scrollY, Width: r.width, Height: r.height, Outline: e.offsetWidth + e.offsetHeight };
  };

  return { contrasts, marks, faults, borders, targets, texts, named, words, cut, filled, drawings, structure, focus, controls, kinds, centre, begin };
})();
