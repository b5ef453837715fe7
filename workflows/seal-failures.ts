// Converts failures so that the payload codec seals their words and stack traces. Part of the bundle for workers with a codec.
import { DefaultFailureConverter } from '@temporalio/common';

/** The SDK looks for this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
