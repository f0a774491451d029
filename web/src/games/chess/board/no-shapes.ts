// Stands in for chessground's drawing of shapes, which is a tenth of a chat's page: one arrow is all
// we point out with, and `Arrow.svelte` draws it.

export function createElement(name: string): SVGElement {
  return document.createElementNS('http://www.w3.org/2000/svg', name);
}
export function setAttributes(element: SVGElement): SVGElement {
  return element;
}
export function createDefs(): SVGElement {
  return createElement('defs');
}
export function renderSvg() {}
// Nor are any drawn by hand, or pieces that are none; nothing is dropped from a pocket or explodes.
export { none as start, none as move, none as end, none as cancel, none as clear, none as processDraw };
export { none as render, none as renderResized };
export { none as setDropMode, none as cancelDropMode, none as drop, none as explosion };
// In a chat nobody moves before it is their turn.
export { none as premove };
function none() {}
