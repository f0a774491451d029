// MCP Apps: JSON-RPC with the host over postMessage.
//
// Written by hand: the ext-apps library brings its schemas along, which is four times the size
// this whole page may have.

import { NoAnswer, onHostMessage, patience, post, type Host } from './host';
import type { ToolResult } from './result';
import { reportSize } from './size';

const PROTOCOL_VERSION = '2026-01-26';

export interface HostContext {
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string | undefined> };
  containerDimensions?: { height?: number; maxHeight?: number };
}

interface InitializeResult {
  hostCapabilities?: { updateModelContext?: object; message?: object; openLinks?: object };
  hostContext?: HostContext;
}

interface Listener {
  onresult: (result: ToolResult) => void;
  oncancelled: (reason: string) => void;
  oncontext: (context: HostContext) => void;
  onteardown: () => void;
}

interface Waiting {
  done: (result: unknown) => void;
  failed: (error: Error) => void;
}

/** Resolves once a host has answered `ui/initialize`; never, if none does. */
export async function connectApps(listener: Listener): Promise<Host> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  onHostMessage((message) => {
    if (message.jsonrpc !== '2.0') return;
    if (typeof message.method === 'string') {
      if (message.id === undefined) notified(message.method, message.params);
      else answer(message.id, message.method);
      return;
    }
    const asked = waiting.get(message.id as number);
    waiting.delete(message.id as number);
    if (message.error) {
      asked?.failed(new NoAnswer((message.error as { message?: string }).message));
    } else asked?.done(message.result);
  });

  function notified(method: string, params: unknown) {
    if (method === 'ui/notifications/tool-result') listener.onresult(params as ToolResult);
    else if (method === 'ui/notifications/host-context-changed') {
      listener.oncontext(params as HostContext);
    } else if (method === 'ui/notifications/tool-cancelled') {
      listener.oncancelled((params as { reason?: string } | undefined)?.reason ?? '');
    }
  }

  function answer(id: unknown, method: string) {
    if (method === 'ui/resource-teardown') listener.onteardown();
    if (method === 'ui/resource-teardown' || method === 'ping') {
      post({ jsonrpc: '2.0', id, result: {} });
    } else {
      const error = { code: -32601, message: `${method} is not known here` };
      post({ jsonrpc: '2.0', id, error });
    }
  }

  function request<T>(method: string, params: object, within?: number): Promise<T> {
    const id = ++lastId;
    return new Promise<T>((done, failed) => {
      waiting.set(id, { done: done as (result: unknown) => void, failed });
      if (within) setTimeout(() => waiting.delete(id) && failed(new NoAnswer()), within);
      post({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Whether the host did it. There is no limit: it may ask the person first. */
  function did(method: string, params: object): Promise<boolean> {
    return request<{ isError?: boolean }>(method, params).then(
      (result) => !result?.isError,
      () => false,
    );
  }

  const { hostCapabilities = {}, hostContext = {} } = await request<InitializeResult>(
    'ui/initialize',
    {
      appInfo: { name: 'agon board', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: PROTOCOL_VERSION,
    },
  );
  listener.oncontext(hostContext);
  post({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} });
  reportSize((width, height) =>
    post({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width, height } }),
  );

  return {
    call: (name, args) => request('tools/call', { name, arguments: args }, patience(name)),
    tellModel(text) {
      if (!hostCapabilities.updateModelContext) return;
      const context = { content: [{ type: 'text', text }] };
      request('ui/update-model-context', context, 10_000).catch(() => undefined);
    },
    async sayToModel(text) {
      if (!takesText(hostCapabilities.message)) return false;
      return did('ui/message', { role: 'user', content: [{ type: 'text', text }] });
    },
    opensLinks: () => hostCapabilities.openLinks !== undefined,
    openLink: (url) => did('ui/open-link', { url }),
  };
}

/** A host that names the kinds of content it takes takes no others. */
function takesText(kinds: object | undefined): boolean {
  return kinds !== undefined && ('text' in kinds || Object.keys(kinds).length === 0);
}
