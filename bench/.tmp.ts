import { applyEdits } from '../src/text/staged-file';
import { Needles } from '../src/text/needles';
const lines:string[]=[]; let len=0; for (let l=0; len<2*1024*1024; l++){const t=[`export function handle${l}(request: Request, options: Options = {}): Response {`,`  const value${l} = await readFromStore(request.path, { limit: ${l*7}, strict: true });`,`  if (value${l} === undefined) return notFound(request);`,`}`][l%4]!; lines.push(t); len+=t.length+1;}
const text=lines.join('\n')+'\n'; const groups=Math.floor((lines.length-4)/4);
for (const count of [1000,2000,5000]) {
const edits=Array.from({length:count},(_,i)=>{const line=4*Math.floor((((i*7919)%count)*groups)/count);const o=lines.slice(line,line+2).join('\n');return {old_string:o,new_string:o.replace('strict: true','strict: false').replace('Request','Req')}});
const chained=edits.map((e,i)=>i%2?{old_string:edits[i-1]!.new_string,new_string:edits[i-1]!.new_string+' //'}:e);
const short=edits.map((e,i)=>({old_string:/handle\d+\(/.exec(e.old_string)![0],new_string:'h'+i+'['}));
for (const [n,e] of [['plain',edits],['chained',chained],['short',short]] as const){const nn=new Needles(e.map(x=>x.old_string));const s=performance.now();nn.locate(text);const t2=performance.now();const r=applyEdits(text,e);console.log(count,n,r.ok,(performance.now()-t2).toFixed(0),'in table',nn.strings.length,'locate',(t2-s).toFixed(0))}}
