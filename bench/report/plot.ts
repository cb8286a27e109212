/** The growth as a picture: one panel for each thing that grows, both axes in powers of ten. Plain SVG. */
import type { Series } from '../growth';
import { decadeLabel, decades, type Frame, frameAround } from './axes';

const COLUMNS = 2;
const WIDTH = 430;
const HEIGHT = 300;
const COLOURS = ['#0b6e99', '#c8501e', '#5b8c2a'];
const INK = '#222';
const FAINT = '#e3e3e3';
const GUIDE = '#8a8a8a';

export function plotOf(all: readonly Series[]): string {
  const panels = [...new Set(all.map(({ panel }) => panel))];
  const height = HEIGHT * Math.ceil(panels.length / COLUMNS);
  const drawn = panels.map((panel, index) => {
    const series = all.filter((each) => each.panel === panel);
    const left = WIDTH * (index % COLUMNS);
    const top = HEIGHT * Math.floor(index / COLUMNS);
    return `<g transform="translate(${left} ${top})">${drawPanel(panel, series)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * COLUMNS} ${height}" font-family="sans-serif" font-size="12" fill="${INK}">
<title>How the time of a call grows with the size of what it is about</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join('\n')}
</svg>
`;
}

function drawPanel(title: string, all: readonly Series[]): string {
  const frame = frameAround(
    all.flatMap(({ points }) => points),
    { width: WIDTH, height: HEIGHT },
  );
  return [
    `<text x="${frame.left}" y="22" font-size="14" font-weight="bold">${title}</text>`,
    drawAxes(frame, all[0]?.unit ?? ''),
    drawGuide(frame, all),
    ...all.map((series, index) => drawSeries(frame, series, index)),
  ].join('\n');
}

function drawAxes(frame: Frame, unit: string): string {
  const { left, right, top, bottom, x, y } = frame;
  const columns = decades(frame.xRange).map(
    (value) =>
      `<path d="M${x(value)} ${top}V${bottom}" stroke="${FAINT}"/><text x="${x(value)}" y="${bottom + 16}" text-anchor="middle">${decadeLabel(value, unit)}</text>`,
  );
  const lines = decades(frame.yRange).map(
    (value) =>
      `<path d="M${left} ${y(value)}H${right}" stroke="${FAINT}"/><text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${decadeLabel(value, 'ms')}</text>`,
  );
  return [
    ...columns,
    ...lines,
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="${INK}"/>`,
    `<text x="${right}" y="${bottom + 34}" text-anchor="end">${unit === 'bytes' ? 'size of the file' : unit}</text>`,
    `<text x="${left}" y="${top - 8}" text-anchor="end">ms</text>`,
  ].join('\n');
}

/** Where a time that grows with the size would run: through the highest last point. */
function drawGuide(frame: Frame, all: readonly Series[]): string {
  const [last] = all.flatMap(({ points }) => points.slice(-1)).sort((a, b) => b.ms - a.ms);
  if (!last) return '';
  const from = Math.max(frame.xRange[0], (last.x * frame.yRange[0]) / last.ms);
  const start = { x: frame.x(from), y: frame.y((last.ms * from) / last.x) };
  const key = keyAt(frame, all.length);
  return [
    `<path d="M${start.x} ${start.y}L${frame.x(last.x)} ${frame.y(last.ms)}M${key.x} ${key.y}h20" stroke="${GUIDE}" stroke-dasharray="5 4"/>`,
    `<text x="${key.x + 26}" y="${key.y + 4}" fill="#555">linear</text>`,
  ].join('\n');
}

function drawSeries(frame: Frame, { name, points }: Series, index: number): string {
  const colour = COLOURS[index % COLOURS.length];
  const places = points.map(({ x, ms }) => `${frame.x(x)},${frame.y(ms)}`);
  const dots = points.map(({ x, ms }) => `<circle cx="${frame.x(x)}" cy="${frame.y(ms)}" r="3.5" fill="${colour}"/>`);
  const key = keyAt(frame, index);
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...dots,
    `<path d="M${key.x} ${key.y}h20" stroke="${colour}" stroke-width="2"/><circle cx="${key.x + 10}" cy="${key.y}" r="3.5" fill="${colour}"/>`,
    `<text x="${key.x + 26}" y="${key.y + 4}">${name}</text>`,
  ].join('\n');
}

/** The line of the legend. */
function keyAt({ left, top }: Frame, index: number): { x: number; y: number } {
  return { x: left + 12, y: top + 14 + index * 17 };
}
