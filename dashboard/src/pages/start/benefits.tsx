// What one gets, for whoever hesitates.
import { SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core';
import { IconArrowsDiff, IconKey, IconPlugConnected, type Icon } from '@tabler/icons-react';

const BENEFITS: { icon: Icon; title: string; text: string }[] = [
  {
    icon: IconKey,
    title: 'Rows that have a name',
    text: 'The field that tells rows apart is found in the data and explained, so that a row that moved is not mistaken for another.',
  },
  {
    icon: IconArrowsDiff,
    title: 'Changes cell by cell',
    text: 'Each check says which rows are new, changed or deleted, with each value before and after. A broken export is held, not believed.',
  },
  {
    icon: IconPlugConnected,
    title: 'Ready to be used',
    text: 'Ask a language model about it over MCP, download it as CSV or JSON Lines, read it over HTTP, have it pushed by webhooks.',
  },
];

export const Benefits = () => (
  <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" component="section" aria-label="What you get">
    {BENEFITS.map(({ icon: Icon, title, text }) => (
      <div key={title}>
        <ThemeIcon variant="light" size={36} mb="sm">
          <Icon size={20} aria-hidden />
        </ThemeIcon>
        <Title order={2} size="h5" mb={4}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    ))}
  </SimpleGrid>
);
