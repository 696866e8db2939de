import type { Sample } from './rounds.ts';

/** With more than this share of the machine busy elsewhere, a sample says little. */
export const foreignLimit = 0.1;

/** The middle of some samples of one side, and the slowest request of them all. CPU is in microseconds a request. */
export interface Figures extends Sample {
  samples: number;
}

/** How dear one side is, as a multiple of the other: the middle of the rounds and how far they lie apart. */
export interface Ratio {
  median: number;
  least: number;
  most: number;
  /** Rounds in which the machine was quiet; when there are fewer than two, all are used. */
  quiet: number;
  rounds: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function figuresOf(samples: readonly Sample[]): Figures {
  const middle = (name: keyof Sample) => median(samples.map((sample) => sample[name]));
  return {
    samples: samples.length,
    requests: middle('requests'),
    perSecond: middle('perSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    most: Math.max(...samples.map(({ most }) => most)),
    server: middle('server'),
    postgres: middle('postgres'),
    foreign: middle('foreign'),
  };
}

/** Round by round, so that what disturbs a round disturbs both sides of its ratio. */
export function ratioOf(of: readonly Sample[], to: readonly Sample[]): Ratio {
  const rounds = of.flatMap((sample, round) => {
    const other = to[round];
    if (!other) return [];
    const ratio = (sample.server + sample.postgres) / (other.server + other.postgres);
    return [{ ratio, quiet: Math.max(sample.foreign, other.foreign) <= foreignLimit }];
  });
  const quiet = rounds.filter((round) => round.quiet);
  const used = (quiet.length < 2 ? rounds : quiet).map(({ ratio }) => ratio);
  return {
    median: median(used),
    least: Math.min(...used),
    most: Math.max(...used),
    quiet: quiet.length,
    rounds: rounds.length,
  };
}

/** Several runs as one: the middle of each figure, and how far the runs' ratios lie apart. */
export function middleOf(figures: readonly Figures[]): Figures {
  return { ...figuresOf(figures), samples: figures.reduce((sum, { samples }) => sum + samples, 0) };
}

export function ratioOver(ratios: readonly Ratio[]): Ratio {
  const medians = ratios.map((ratio) => ratio.median);
  const [only] = ratios;
  if (ratios.length === 1 && only) return only;
  return {
    median: median(medians),
    least: Math.min(...medians),
    most: Math.max(...medians),
    quiet: ratios.reduce((sum, { quiet }) => sum + quiet, 0),
    rounds: ratios.reduce((sum, { rounds }) => sum + rounds, 0),
  };
}
