import './home.css';

interface Readiness {
  status: string;
  checks: { name: string; ok: boolean; ms: number }[];
}

/** Says in one sentence whether the server is ready, and what is amiss when it is not. */
function sentence({ status, checks }: Readiness): string {
  const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  return failing.length === 0 ? 'The server is ready.' : `The server is ${status}: ${failing.join(', ')}.`;
}

async function showState(target: HTMLElement): Promise<void> {
  try {
    const response = await fetch('/readyz');
    target.textContent = sentence((await response.json()) as Readiness);
  } catch {
    target.textContent = 'The server does not answer.';
  }
}

const target = document.querySelector<HTMLElement>('#state');
if (target) void showState(target);
