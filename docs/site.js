// The theme puts the copy button of each code block into a landmark, which needs a name of its own;
// and a wide table can be scrolled only by those who can focus it.
const mend = () => {
  document.querySelectorAll(".md-code__nav").forEach((nav, place) => {
    nav.setAttribute("aria-label", `Code block ${place + 1}`);
  });
  for (const head of document.querySelectorAll("th:empty")) {
    head.replaceWith(document.createElement("td")); // a corner is the head of nothing
  }
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
