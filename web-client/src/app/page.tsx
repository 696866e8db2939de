import { useLingui } from '@lingui/react/macro';
import { Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { currentMode } from './mode.ts';

interface Props {
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  /** What can be done on this page, at the end of its first line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The content of a route: its heading, also as the title of the browser's tab. */
export function Page({ title, description, actions, children }: Props) {
  const prefix = currentMode() === 'test' ? '[TEST] ' : '';
  useEffect(() => {
    document.title = `${prefix}${title} · Parlour`;
  }, [prefix, title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw="42rem">
          <Title order={1} size="h2" id="page-title" tabIndex={-1}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ title, description, actions, children }: Props) {
  return (
    <Box component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Box maw="42rem">
          <Title order={2} size="h4">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={2}>
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Box>
  );
}

/** Stands in for a page that takes longer than a moment. */
export function PageSkeleton() {
  const { t } = useLingui();
  return (
    <Stack gap="md" role="status" aria-busy="true" aria-label={t`Loading`}>
      <Skeleton h={32} w="14rem" />
      {Array.from({ length: 6 }, (_, n) => (
        <Skeleton key={n} h={44} />
      ))}
    </Stack>
  );
}
