import { Code } from '@mantine/core';

/** Text in which what stands between backticks is code. */
export function Ticked({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <Code key={part}>{part}</Code> : <span key={part}>{part}</span>,
    );
}
