// A record's rows.
export const Component = () => null;
