// The tools, resources and prompts that the conformance suite expects by name, in addition to ours, so that its scenarios test
// our endpoint in both eras. The product answers everything else.
import type { Method, MethodName } from '../../../api/mcp/methods/methods.ts';
import { RpcError } from '../../../api/mcp/methods/rpc-error.ts';

type Methods = Record<MethodName, Method>;
type Answers = Readonly<Record<string, object>>;

/** A picture of one red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** An empty sound. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = { type: 'text', text: 'A text of a fixture.' };
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = {
  type: 'resource',
  resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'A resource of a fixture.' },
};

const TOOLS: Answers = {
  test_simple_text: { content: [text] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: { content: [embedded] },
  test_multiple_content_types: { content: [text, image, embedded] },
  test_error_handling: { content: [text], isError: true },
  test_logging_tool: { content: [text] },
  test_streaming_elicitation: { content: [text] },
};

const RESOURCES: Answers = {
  'test://static-text': contents('text/plain', { text: 'A text of a fixture.' }),
  'test://static-binary': contents('image/png', { blob: PNG }),
  'test://template/123/data': contents('application/json', { text: '{"id":"123"}' }),
};

const PROMPTS: Answers = {
  test_simple_prompt: { messages: [{ role: 'user', content: text }] },
  test_prompt_with_embedded_resource: { messages: [{ role: 'user', content: embedded }] },
  test_prompt_with_image: { messages: [{ role: 'user', content: image }] },
};

/** The protocol's error for a tool that needs a capability which the client lacks. */
const MISSING_CAPABILITY = new RpcError(-32_021, 'This tool needs sampling.', {
  requiredCapabilities: { sampling: {} },
});

/** A schema with keywords of JSON Schema that our schemas do not use. */
const TOOL_WITH_RARE_SCHEMA = {
  name: 'json_schema_2020_12_tool',
  description: 'A tool of a fixture.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { city: { type: 'string' } } } },
    properties: { contactMethod: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } } },
    // A keyword of JSON Schema. Nothing awaits this object.
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

export function withFixtures(methods: Methods): Methods {
  return {
    ...methods,
    'tools/list': async (ctx, params) => {
      const { tools } = (await methods['tools/list'](ctx, params)) as { tools: object[] };
      return { tools: [...tools, TOOL_WITH_RARE_SCHEMA] };
    },
    'tools/call': async (ctx, params) => {
      const { name } = params;
      if (name === 'test_missing_capability') throw MISSING_CAPABILITY;
      if (name === 'test_tool_with_progress') {
        for (const progress of [0, 50, 100])
          ctx.reportProgress?.({ progress, message: `${progress} of 100` });
        return { content: [text] };
      }
      return TOOLS[String(name)] ?? methods['tools/call'](ctx, params);
    },
    'resources/read': instead(methods['resources/read'], ({ uri }) => RESOURCES[String(uri)]),
    'prompts/get': instead(methods['prompts/get'], ({ name, arguments: given }) =>
      name === 'test_prompt_with_arguments'
        ? { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(given) } }] }
        : PROMPTS[String(name)],
    ),
    'completion/complete': instead(methods['completion/complete'], ({ ref }) =>
      (ref as { name?: string }).name === 'test_prompt_with_arguments'
        ? { completion: { values: [] } }
        : undefined,
    ),
  };
}

/** The answer of a fixture, where there is one. */
function instead(method: Method, find: (params: Parameters<Method>[1]) => object | undefined): Method {
  return async (ctx, params) => find(params) ?? method(ctx, params);
}

function contents(mimeType: string, content: object): object {
  return { contents: [{ uri: 'test://fixture', mimeType, ...content }] };
}
