// How much room the page wants, told to the host whenever it changes.

export function reportSize(report: (width: number, height: number) => void) {
  const page = document.documentElement;
  let last = '';
  new ResizeObserver(() => {
    const width = Math.ceil(page.clientWidth);
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (last === `${width} ${height}`) return;
    last = `${width} ${height}`;
    report(width, height);
  }).observe(document.body);
}
