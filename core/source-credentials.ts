// The five ways in which an origin may ask to be shown who comes (interface 2.4).

export const AUTH_TYPES = ['none', 'basic', 'bearer', 'api_key_header', 'api_key_query'] as const;

export type AuthType = (typeof AUTH_TYPES)[number];
