import { contestant, OFFICIAL, OURS } from './contestants';
import { measureGrowth } from './growth';
import { measureBlocks } from './loop-blocks';
import { makeStage } from './stage';

for (const n of [OURS, OFFICIAL]) await contestant(n).prepare();
const stage = makeStage();
let t = performance.now();
try {
  for (const s of await measureGrowth(stage))
    console.log(s.panel, '|', s.name, s.points.map((p) => `${p.x}:${p.ms.toFixed(2)}`).join(' '), s.missing);
  console.log((performance.now() - t) / 1000);
  t = performance.now();
  for (const b of await measureBlocks(stage)) console.log(b.what, JSON.stringify(b.by));
  console.log((performance.now() - t) / 1000);
} finally {
  stage.remove();
}
