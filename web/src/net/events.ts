// A stream of server-sent events that comes back by itself.

export type Connection = 'connecting' | 'live' | 'lost';

export type Others = Record<string, (news: never) => void>;

export interface Listener<T> {
  /** What the stream calls its events; "game", unless told. */
  name?: string;
  onevent: (news: T) => void;
  /** Events of other names in the same stream. */
  others?: Others;
  onconnection: (state: Connection) => void;
  /** Browsers allow few streams per server, so a hidden page gives its own back, unless told. */
  evenHidden?: () => boolean;
}

const RETRY_MS = 2000;

/** Follows the stream until the returned function is called. */
export function follow<T>(url: string, listener: Listener<T>): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function open() {
    close();
    source = new EventSource(url);
    source.onopen = () => listener.onconnection('live');
    const heard = { [listener.name ?? 'game']: listener.onevent, ...listener.others };
    for (const [name, onevent] of Object.entries(heard)) {
      source.addEventListener(name, (event: MessageEvent<string>) =>
        onevent(JSON.parse(event.data) as never),
      );
    }
    source.onerror = () => {
      listener.onconnection('lost');
      // After an HTTP error the browser gives up for good; we do not.
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    };
  }
  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }
  function look() {
    if (document.hidden && !listener.evenHidden?.()) close();
    else if (source?.readyState !== EventSource.OPEN) open();
  }

  open();
  document.addEventListener('visibilitychange', look);
  // A line that was being opened may yet open, and lead nowhere; a server on this machine is there without
  // the net. A new one tells.
  const offline = () => {
    listener.onconnection('lost');
    if (source) open();
  };
  addEventListener('online', look);
  addEventListener('offline', offline);
  return () => {
    close();
    removeEventListener('offline', offline);
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', look);
  };
}
