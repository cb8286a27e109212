// Preloaded into the conformance suite, which has no option for headers: every request that it makes gets the bearer
// token, and nothing else about it changes. So its own Host and Origin headers, the forged ones too, reach our guard.
import { subscribe } from 'node:diagnostics_channel';

const authorization = `Bearer ${process.env.TENON_TOKEN}`;
subscribe('undici:request:create', ({ request }) => request.addHeader('authorization', authorization));
subscribe('http.client.request.created', ({ request }) => request.setHeader('authorization', authorization));
