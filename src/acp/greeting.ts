/** What we say of ourselves when an editor connects. */
import { type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

export function greeting(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'tenon', title: 'Codex (Tenon)', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
    authMethods: [
      { id: 'codex-login', name: 'Codex login', description: 'Run `codex login` in a terminal, then try again.' },
    ],
  };
}
