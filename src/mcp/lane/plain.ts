/**
 * Which messages the lane may read by itself: only those that can be read in no other way. Each function says yes or
 * nothing; whatever is doubtful is the SDK's to judge.
 */
import type { ClientInfo } from '../caller';

export type Era = 'legacy' | 'modern';
export type RequestId = string | number;
export type Members = { readonly [name: string]: unknown };

export interface PlainRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Members;
  readonly meta: Members;
}

export interface PlainCall {
  readonly name: string;
  readonly arguments: Members | undefined;
}

const PREFIX = 'io.modelcontextprotocol/';
export const VERSION = `${PREFIX}protocolVersion`;
export const CLIENT = `${PREFIX}clientInfo`;
export const CAPABILITIES = `${PREFIX}clientCapabilities`;

export function plainRequest(message: Members): PlainRequest | undefined {
  const { id, method, params = {} } = message;
  if (!isId(id) || typeof method !== 'string' || !hasOnly(message, 'jsonrpc', 'id', 'method', 'params')) return;
  const meta = isObject(params) ? metaOf(params) : undefined;
  return isObject(params) && meta ? { id, method, params, meta } : undefined;
}

/** The era that a request claims by its `_meta`; a claim with anything unusual in it is left to the SDK. */
export function claimedEra(meta: Members, modernVersions: readonly string[]): Era | undefined {
  const reserved = Object.keys(meta).filter((name) => name.startsWith(PREFIX));
  if (reserved.length === 0) return 'legacy';
  const isUsual = reserved.every((name) => name === VERSION || name === CLIENT || name === CAPABILITIES);
  const isModern = modernVersions.includes(String(meta[VERSION])) && typeof meta[VERSION] === 'string';
  const isClient = meta[CLIENT] === undefined || isClientInfo(meta[CLIENT]);
  return isUsual && isModern && isClient && isCapabilities(meta[CAPABILITIES]) ? 'modern' : undefined;
}

export function claimedClient(meta: Members): ClientInfo | undefined {
  return meta[CLIENT] as ClientInfo | undefined;
}

export function plainInitialize(params: Members): { version: string; client: ClientInfo } | undefined {
  const { protocolVersion: version, clientInfo: client, capabilities } = params;
  if (typeof version !== 'string' || !isClientInfo(client) || !isCapabilities(capabilities)) return;
  return hasOnly(params, 'protocolVersion', 'clientInfo', 'capabilities', '_meta') ? { version, client } : undefined;
}

/** Nothing but `_meta`, which every request may have. */
export function hasNoParameters(params: Members): boolean {
  return hasOnly(params, '_meta');
}

export function plainCall(params: Members): PlainCall | undefined {
  const { name, arguments: given } = params;
  if (typeof name !== 'string' || !hasOnly(params, 'name', 'arguments', '_meta')) return;
  // The SDK drops an argument of this name.
  if (given !== undefined && (!isObject(given) || Object.hasOwn(given, '__proto__'))) return;
  return { name, arguments: given };
}

/** The request that a cancellation means; undefined for what is no plain cancellation. */
export function cancelledId(message: Members): RequestId | undefined {
  const { method, params } = message;
  if (method !== 'notifications/cancelled' || !hasOnly(message, 'jsonrpc', 'method', 'params')) return;
  if (!isObject(params) || !metaOf(params)) return;
  const isReason = params.reason === undefined || typeof params.reason === 'string';
  return isReason && isId(params.requestId) ? params.requestId : undefined;
}

function isClientInfo(value: unknown): value is ClientInfo {
  if (!isObject(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return false;
  const words = [value.title, value.websiteUrl, value.description];
  return value.icons === undefined && words.every((word) => word === undefined || typeof word === 'string');
}

/** Each capability is an object of objects; what deviates, or has rules inside, is left to the SDK. */
function isCapabilities(value: unknown): boolean {
  if (!isObject(value) || value.tasks !== undefined) return false;
  return ['experimental', 'sampling', 'elicitation', 'roots', 'extensions'].every((name) => {
    const capability = value[name];
    if (capability === undefined) return true;
    if (name === 'roots') return isObject(capability) && isOptionalBoolean(capability.listChanged);
    return isObject(capability) && Object.values(capability).every(isPlainDetail);
  });
}

function isPlainDetail(value: unknown): boolean {
  return isObject(value) && isOptionalBoolean(value.applyDefaults) && hasFiniteNumbers(value);
}

/** JSON can spell numbers that are infinite here, and which the SDK refuses. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);
}

/** Empty where there is none, undefined where it is not plain. */
function metaOf({ _meta: meta = {} }: Members): Members | undefined {
  return isObject(meta) && (meta.progressToken === undefined || isId(meta.progressToken)) ? meta : undefined;
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: Members, ...names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
