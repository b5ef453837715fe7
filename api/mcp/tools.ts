// Every tool of the MCP server, in the order in which clients see them.
import type { Tool } from './tool.ts';
import { listSources } from './tools/list-sources.ts';

export const TOOLS: readonly Tool[] = [listSources];
