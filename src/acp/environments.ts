import type { Codex } from './codex/codex';
import { CodexError } from './codex/connection';

/**
 * A request that says where Codex may run things. The field is experimental: a Codex that does not take it has the
 * sandbox of the mode behind it, which is read-only and never asks where nothing may run.
 */
export async function requestIn<T>(
  codex: Codex,
  environments: readonly object[] | undefined,
  method: string,
  params: object,
): Promise<T> {
  if (!environments) return codex.request<T>(method, params);
  return codex.request<T>(method, { ...params, environments }).catch((thrown: unknown) => {
    if (!(thrown instanceof CodexError) || !/environments|experimental/i.test(thrown.message)) throw thrown;
    return codex.request<T>(method, params);
  });
}
