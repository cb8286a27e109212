/**
 * The models that Codex is told about. What a model may do stands in its entry: without one there is no apply_patch,
 * and no two calls at once.
 */
const LEVELS = ['low', 'medium', 'high'];

const CLASSIC = {
  slug: 'scripted',
  display_name: 'Scripted',
  description: 'Says what it was told to say.',
  default_reasoning_level: 'medium',
  supported_reasoning_levels: LEVELS.map((effort) => ({ effort, description: `Thinks with ${effort} effort` })),
  shell_type: 'unified_exec',
  visibility: 'list',
  supported_in_api: true,
  priority: 1,
  availability_nux: null,
  upgrade: null,
  base_instructions: 'Follow the script.',
  default_reasoning_summary: 'auto',
  supports_reasoning_summaries: true,
  supports_parallel_tool_calls: true,
  support_verbosity: false,
  default_verbosity: null,
  apply_patch_tool_type: 'freeform',
  truncation_policy: { mode: 'tokens', limit: 10_000 },
  context_window: 100_000,
  experimental_supported_tools: [],
  input_modalities: ['text', 'image'],
  supports_search_tool: false,
};

/** As the newest models are: MCP tools are hidden, and everything else is called from a program that the model writes. */
const CODE_MODE = {
  ...CLASSIC,
  slug: 'scripted-code',
  display_name: 'Scripted, in code mode',
  priority: 2,
  supports_search_tool: true,
  tool_mode: 'code_mode_only',
};

export const MODEL_CATALOGUE = { models: [CLASSIC, CODE_MODE] };
