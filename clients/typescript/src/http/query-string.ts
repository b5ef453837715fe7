// Writes query parameters as the API reads them: lists are repeated, members are in brackets (`filter[price][gt]=10`).

type Parameter =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | readonly Parameter[]
  | { readonly [name: string]: Parameter };

/** @returns with a leading `?`, or nothing */
export function queryString(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) append(parameters, name, value);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function append(parameters: URLSearchParams, name: string, value: Parameter): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) append(parameters, name, item);
  } else if (value instanceof Date) {
    parameters.append(name, value.toISOString());
  } else if (typeof value === 'object') {
    for (const [member, inner] of Object.entries(value)) append(parameters, `${name}[${member}]`, inner);
  } else {
    parameters.append(name, String(value));
  }
}
