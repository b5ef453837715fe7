// What ends a comparison by bytes: not a fault of the body, only something that reading every row must decide.

export class NeedsExactPath extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NeedsExactPath';
  }
}
