/** What a request gets that is not served: a status, and a JSON-RPC error that says what was wrong and what is expected. */

export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** A JSON-RPC code; "invalid request" unless said otherwise. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const INVALID_REQUEST = -32600;

export function refusalBody({ code = INVALID_REQUEST, message }: Refusal): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}

export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(refusalBody(refusal))),
    'cache-control': 'no-store',
    ...refusal.headers,
  };
}

export function refusalResponse(refusal: Refusal): Response {
  return new Response(refusalBody(refusal), { status: refusal.status, headers: refusalHeaders(refusal) });
}
