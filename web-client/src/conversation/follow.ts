import { currentMode } from '../app/mode.ts';
import { socket } from '../realtime/socket.ts';

/** How soon a stream that ended is asked for again: by the server, or with an error; in milliseconds. */
const pause = { complete: 2_000, error: 10_000 } as const;

/**
 * Follows a subscription until it is told not to. @param variables read whenever the stream is asked for, after each
 * break too @returns what ends it
 */
export function follow<T>(
  query: string,
  variables: Record<string, unknown>,
  next: (item: T) => void,
): () => void {
  const client = socket(currentMode());
  let over = false;
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    const again = (reason: keyof typeof pause) => () => {
      if (!over) timer = setTimeout(start, pause[reason]);
    };
    stop = client.subscribe<Record<string, T>>(
      { query, variables },
      {
        next: ({ data }) => {
          const [item] = Object.values(data ?? {});
          if (item !== undefined && !over) next(item);
        },
        error: again('error'),
        complete: again('complete'),
      },
    );
  };
  start();
  return () => {
    over = true;
    clearTimeout(timer);
    stop();
  };
}
