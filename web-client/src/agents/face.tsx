import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../app/trpc.ts';
import './face.css';

interface Props {
  /** Id, e-mail or name of an agent, whatever is known. */
  of: string | null | undefined;
  /** Width and height in pixels. */
  size: number;
  /** Where there is no picture. */
  children?: ReactNode;
}

/** The picture of an agent; their name is told beside it. */
export function Face({ of, size, children = null }: Props) {
  const { data: url } = useQuery(
    trpc.agents.list.queryOptions(
      {},
      {
        staleTime: 300_000,
        select: ({ data }) =>
          data.find(({ id, email, name }) => of === id || of === email || of === name)?.avatar_url ?? null,
      },
    ),
  );
  if (!url) return children;
  return <img className="face" src={url} alt="" width={size} height={size} />;
}
