import './webhooks.css';

const tones: Readonly<Record<string, 'good' | 'warning' | 'bad'>> = {
  enabled: 'good',
  active: 'good',
  succeeded: 'good',
  failing: 'warning',
  retrying: 'warning',
  exhausted: 'bad',
};

const words: Readonly<Record<string, string>> = {
  succeeded: 'delivered',
  exhausted: 'failed',
  discarded: 'skipped',
};

/** A state in words, with a dot of its colour. */
export function State({ of }: { of: string }) {
  return (
    <span className="state" data-tone={tones[of]}>
      {words[of] ?? of}
    </span>
  );
}
