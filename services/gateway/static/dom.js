// Elements from data. Whatever comes from a feed goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (absent where null or false), listeners (`onclick`) and children (text or nodes). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same within SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

/** Sets an element's text if it is another one, so that nothing is laid out or read aloud again without need. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes `nodes` the children, moving as few as possible: what stays in place keeps its focus and its animation. */
export function arrange(parent, nodes) {
  let here = parent.firstChild;
  for (const node of nodes) {
    if (node === here) here = here.nextSibling;
    else parent.insertBefore(node, here);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

/** Plays a class's animation once, from its start also when it still runs. */
export function play(element, name) {
  element.classList.remove(name);
  void element.offsetWidth;
  element.classList.add(name);
  element.addEventListener("animationend", () => element.classList.remove(name), { once: true });
}

/** Says something to those who do not look. */
export function announce(text) {
  setText(document.getElementById("announcer"), text);
}

/** A row of buttons of which one is pressed; `choose` gets its value. */
export function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    h("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => press(value) }, text),
  );
  function press(value) {
    options.forEach(([other], index) => buttons[index].setAttribute("aria-pressed", String(other === value)));
    choose(value);
  }
  return h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}
