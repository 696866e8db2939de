import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import './record-table.css';

interface Props {
  title: string;
  /** One sentence. */
  children: ReactNode;
  action?: ReactNode;
}

/** In place of a list that has nothing in it. */
export function Empty({ title, children, action }: Props) {
  return (
    <div className="record-empty">
      <Stack gap="xs" align="center">
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" maw="32rem">
          {children}
        </Text>
        {action !== undefined && <Group mt="xs">{action}</Group>}
      </Stack>
    </div>
  );
}
