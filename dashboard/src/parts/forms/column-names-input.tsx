// A list of column names, typed one by one, exactly as in the data.
import { TagsInput, type TagsInputProps } from '@mantine/core';

interface Props extends Pick<TagsInputProps, 'label' | 'description' | 'error' | 'value' | 'onChange'> {
  /** Suggestions, if known. */
  columns?: string[];
}

/** Names may contain commas, and may differ only by case. */
export const ColumnNamesInput = ({ columns = [], ...props }: Props) => (
  <TagsInput
    {...props}
    data={columns}
    splitChars={[]}
    isDuplicate={(name, names) => names.includes(name)}
    placeholder={props.value?.length === 0 ? 'Type a name and press Enter' : ''}
    clearable
    clearButtonProps={{ 'aria-label': 'Remove all' }}
  />
);
