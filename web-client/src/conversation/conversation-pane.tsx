import { Text, Title } from '@mantine/core';

/** One conversation. */
export function ConversationPane({ conversationId }: { conversationId: string }) {
  return (
    <>
      <Title order={2} size="h4">
        Conversation
      </Title>
      <Text>{conversationId}</Text>
    </>
  );
}
