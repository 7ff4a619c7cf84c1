// The search, the menu of small screens, and nothing else. The index is a script and not a JSON file, since
// a page that is opened from the disk may load the one and not the other. ?q=WORDS opens a page with results.
"use strict";
(function () {
  const box = document.getElementById("site-search");
  const found = document.getElementById("site-found");
  const open = document.getElementById("site-open");
  const menu = document.getElementById("site-menu");
  const MOST = 30;
  let waiting = null;

  function load(then) {
    if (window.siteIndex) return then();
    const first = waiting === null;
    waiting = then;
    if (!first) return;
    const script = document.createElement("script");
    script.src = "index.js";
    script.onload = () => waiting();
    document.head.append(script);
  }

  // All words have to be there; a heading counts more than a text, its beginning more than its middle.
  function score(entry, words) {
    const heading = entry[1].toLowerCase(), text = entry[3].toLowerCase(), page = entry[0].toLowerCase();
    let total = 0;
    for (const word of words) {
      let here = 0;
      const at = heading.indexOf(word);
      // An entry of a reference is found by its name without what is in front of all names.
      if (heading.split(", ").some((name) => name === word || name.replace(/^(heddle\.)+|^heddle_/, "") === word)) here += 100;
      if (at >= 0) here += at === 0 || !/\w/.test(heading[at - 1]) ? 40 : 15;
      if (page.includes(word)) here += 5;
      if (text.includes(word)) here += 4 + Math.min(text.split(word).length, 6);
      if (here === 0) return 0;
      total += here;
    }
    return total;
  }

  function marked(parent, text, words) {
    const escaped = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const piece of text.split(new RegExp("(" + escaped.join("|") + ")", "gi"))) {
      if (!piece) continue;
      const hit = words.includes(piece.toLowerCase());
      const node = document.createElement(hit ? "mark" : "span");
      node.textContent = piece;
      parent.append(node);
    }
  }

  function result(entry, words) {
    const link = document.createElement("a");
    link.href = entry[2];
    const head = document.createElement("b");
    marked(head, entry[1] || entry[0], words);
    const page = document.createElement("i");
    page.textContent = entry[0];
    const text = document.createElement("small");
    const lower = entry[3].toLowerCase();
    const at = Math.max(0, Math.min(...words.map((w) => lower.indexOf(w)).filter((i) => i >= 0), lower.length) - 60);
    marked(text, (at ? "… " : "") + entry[3].slice(at, at + 180), words);
    link.append(head, page, text);
    return link;
  }

  function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    found.replaceChildren();
    if (!words.length) return;
    const ranked = window.siteIndex.map((entry) => [score(entry, words), entry]).filter((r) => r[0] > 0);
    ranked.sort((a, b) => b[0] - a[0]);
    const count = document.createElement("p");
    count.textContent = ranked.length === 0 ? "Nothing has all of these words."
      : ranked.length > MOST ? `${ranked.length} places, the best ${MOST}:`
      : `${ranked.length} place${ranked.length === 1 ? "" : "s"}:`;
    found.append(count, ...ranked.slice(0, MOST).map((r) => result(r[1], words)));
  }

  box.addEventListener("focus", () => load(show));
  box.addEventListener("input", () => load(show));
  found.addEventListener("click", (event) => {
    if (event.target.closest("a")) found.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape") {
      found.hidden = true;
      box.blur();
    } else if (event.key === "Enter" && document.activeElement === box) {
      const first = found.querySelector("a");
      if (first) first.click();
    }
  });
  open.addEventListener("click", () => {
    const shown = menu.classList.toggle("shown");
    open.setAttribute("aria-expanded", String(shown));
  });
  menu.addEventListener("click", (event) => {
    if (event.target.closest("a")) menu.classList.remove("shown");
  });
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) {
    box.value = asked;
    load(show);
  }
})();
