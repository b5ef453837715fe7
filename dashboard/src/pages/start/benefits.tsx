// The product's benefits.
import { SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core';
import { IconArrowsDiff, IconKey, IconPlugConnected, type Icon } from '@tabler/icons-react';

const BENEFITS: { icon: Icon; title: string; text: string }[] = [
  {
    icon: IconKey,
    title: 'Tells rows apart',
    text: 'Recordwatch detects the field that identifies each row, and explains its choice. A row that only moved does not count as new.',
  },
  {
    icon: IconArrowsDiff,
    title: 'Changes cell by cell',
    text: 'Each check says which rows are new, changed or deleted, with every value before and after. When most rows vanish at once, you decide whether that is real.',
  },
  {
    icon: IconPlugConnected,
    title: 'Ready to use',
    text: 'Ask a language model about it over MCP, download it as CSV or JSON Lines, read it over HTTP, or get webhooks.',
  },
];

export const Benefits = () => (
  <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl" component="section" aria-label="What you get">
    {BENEFITS.map(({ icon: Icon, title, text }) => (
      <div key={title}>
        <ThemeIcon variant="light" size={36} mb="sm">
          <Icon size={20} aria-hidden />
        </ThemeIcon>
        <Title order={2} mb={4}>
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
    ))}
  </SimpleGrid>
);
