// What the origin sent to a check that failed, so that nobody has to open the URL to see it.
import { Code, Paper, Stack } from '@mantine/core';
import type { components } from '../../client/schema.ts';
import { Fact, Facts } from './facts.tsx';

interface Props {
  answer: components['schemas']['OriginAnswer'];
}

export function OriginAnswer({ answer: { httpStatus, contentType, url, beginning } }: Props) {
  return (
    <Paper withBorder p="sm" component="section" aria-label="What the origin sent">
      <Stack gap="sm">
        <Facts>
          {httpStatus !== null && <Fact name="The origin answered">{`HTTP ${httpStatus}`}</Fact>}
          {contentType !== null && <Fact name="Type">{contentType}</Fact>}
        </Facts>
        <Facts>{url !== null && <Fact name="From">{url}</Fact>}</Facts>
        {beginning !== null && (
          <Facts>
            <Fact name="The beginning of what it sent">
              <Code block style={{ whiteSpace: 'pre-wrap' }}>
                {beginning}
              </Code>
            </Fact>
          </Facts>
        )}
      </Stack>
    </Paper>
  );
}
