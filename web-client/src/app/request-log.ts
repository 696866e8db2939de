let readable = false;

/** Whether who is signed in may read the log of requests; the frame says so. */
export function offerRequests(mayRead: boolean): void {
  readable = mayRead;
}

/** Where the log shows one request; null for those who may not read it. */
export function requestHref(id: string): string | null {
  return readable ? `/developers/requests?request=${encodeURIComponent(id)}` : null;
}
